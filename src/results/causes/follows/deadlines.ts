import { type Candidate, idSet } from '../candidates.ts';
import type { Group } from '../cover.ts';
import type { Deviation } from '../../../spec/deviations.ts';

const early = idSet(
  'order.state.pending-to-expired.not-early',
  'order.state.quoted-to-expired.not-early',
  'quote.state.pending-to-expired.not-early',
);
const expires = idSet(
  'order.state.pending-to-expired',
  'order.state.pending-to-expired.though-quoted',
  'order.state.quoted-to-expired',
  'quote.state.pending-to-expired',
);
const expired = idSet(
  'order.state.expired-absorbs',
  'quote.state.expired-absorbs',
  'order.accept.expired-order-refused',
  'order.accept.expired-quote-refused',
  'quote.submit.expired-request-refused',
  'order.cancel.expired-stays',
  'rfq.list.expired-order-left',
);

const isEarly = ({ requirement }: Candidate): boolean => early.has(requirement);
const isOfExpiry = (one: Candidate): boolean => isEarly(one) || expires.has(one.requirement);

/**
 * True if the group follows from a wrong expiry. An order or quote that does not become EXPIRED at its deadline breaks
 * all requirements after the deadline. A wrong deadline in the answers explains a wrong expiry in turn.
 */
export const isAfterItsDeadline = (group: Group, { leaf, members }: Group): boolean =>
  (leaf === 'expires_at' || leaf === 'valid_until' || members.some(isOfExpiry)) &&
  group.members.every((one) => isOfExpiry(one) || expired.has(one.requirement));

/** True if an order or a quote ends before its deadline. */
export const isCutShort = ({ leaf, members }: Group): boolean =>
  leaf === 'status' && members.some(isEarly);

/** An order or quote that ended too early is missing from lists of open ones, and requests on it are refused. */
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

/** Events are compared with the timestamps in answers. If a timestamp is wrong, events seem to come at a wrong time. */
export const isHeldAgainst = (
  { members }: Group,
  { leaf }: Group,
  wheres: ReadonlySet<string>,
): boolean =>
  (leaf.endsWith('_at') || leaf.endsWith('_until')) &&
  members.every(
    ({ failure, spots }) =>
      temporal.has(failure.deviation ?? '') && spots.some(({ where }) => wheres.has(where)),
  );
