import { subjectOf } from '../../../spec/requirements/index.ts';
import type { Candidate } from '../candidates.ts';
import { type Group, ofWalks } from '../cover.ts';
import type { Deviation } from '../../../spec/deviations.ts';

const isCount = ({ requirement }: Candidate): boolean =>
  subjectOf(requirement).field?.startsWith('pagination.') === true;

const isOfPages = ({ members }: Group): boolean =>
  members.some((one) => ofWalks.has(one.requirement) || isCount(one));

const isOfCounts = ({ members }: Group): boolean => members.every(isCount);

const itemsOf: ReadonlySet<string> = new Set<Deviation>(['left out', 'too much']);

const isOfItems = ({ members }: Group): boolean =>
  members.some(({ failure }) => itemsOf.has(failure.deviation ?? ''));

/**
 * Of one list: how it is cut into pages is one thing, what it says of them and what stands on them; and one that holds too
 * few items, or too many, counts them wrongly.
 */
export const isOfItsPages = (group: Group, cause: Group): boolean =>
  (isOfPages(group) && isOfPages(cause)) || (isOfCounts(group) && isOfItems(cause));
