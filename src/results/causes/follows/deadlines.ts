import type { Group } from '../cover.ts';
import type { Deviation } from '../../../spec/deviations.ts';

const expires = /\.(?:pending|quoted)-to-expired/;
const expired = /\.expired-/;

/**
 * What is due of an order or a quote past its deadline goes wrong where it does not become EXPIRED then; and that it does
 * not is what the deadline says, where the deadline that answers show is wrong.
 */
export function isAfterItsDeadline(group: Group, { leaf, members }: Group): boolean {
  const areAll = (...kinds: readonly RegExp[]): boolean =>
    group.members.every(({ requirement }) => kinds.some((kind) => kind.test(requirement)));
  if (leaf === 'expires_at' || leaf === 'valid_until') return areAll(expires, expired);
  return members.some(({ requirement }) => expires.test(requirement)) && areAll(expires, expired);
}

/** An order or a quote ends before its deadline. */
export const isCutShort = ({ leaf, members }: Group): boolean =>
  leaf === 'status' && members.some(({ requirement }) => requirement.endsWith('.not-early'));

/** What has ended too early is missing from the lists of what is open, and what is asked of it is refused. */
export const isAfterItsEnd = ({ members }: Group, cause: Group): boolean =>
  isCutShort(cause) &&
  members.every(
    ({ failure: { deviation } }) => deviation === 'left out' || deviation === 'refused',
  );

const temporal: ReadonlySet<string> = new Set<Deviation>([
  'out of order',
  'late or early',
  'too early',
]);

/** Events are held against the moments that answers show: where such a moment is wrong, they seem to come at a wrong time. */
export const isHeldAgainst = (
  { members }: Group,
  { leaf }: Group,
  wheres: ReadonlySet<string>,
): boolean =>
  /_(?:at|until)$/.test(leaf) &&
  members.every(
    ({ failure, spots }) =>
      temporal.has(failure.deviation ?? '') && spots.some(({ where }) => wheres.has(where)),
  );
