import type { Group } from '../cover.ts';
import type { Deviation } from '../../../spec/deviations.ts';

const ofPages = /^(?:list\.pages-|pagination\.)/;

const isOfPages = ({ members }: Group): boolean =>
  members.some(({ requirement }) => ofPages.test(requirement));

const isOfCounts = ({ members }: Group): boolean =>
  members.every(({ requirement }) => requirement.startsWith('pagination.'));

const itemsOf: ReadonlySet<string> = new Set<Deviation>(['left out', 'too much']);

const isOfItems = ({ members }: Group): boolean =>
  members.some(({ failure }) => itemsOf.has(failure.deviation ?? ''));

/**
 * Of one list: how it is cut into pages is one thing, what it says of them and what stands on them; and one that holds too
 * few items, or too many, counts them wrongly.
 */
export const isOfItsPages = (group: Group, cause: Group): boolean =>
  (isOfPages(group) && isOfPages(cause)) || (isOfCounts(group) && isOfItems(cause));
