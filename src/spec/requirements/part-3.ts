import {
  needsCustodianTwoMakers,
  needsOrderExpiry,
  needsRfqExpiry,
  needsSettlementFailure,
  needsQuoteExpiry,
  must,
  needsOf,
  needsSender,
  needsMaker,
  needsTwoMakers,
  needsSettlement,
  needsSettlementTwoMakers,
  waits,
} from './needs.ts';
import type { Requirement } from './requirement.ts';

/** Part 3.1: the ways of an order. */
export const orderStateRequirements = {
  'order.state.starts-pending': must('3.1', 'A new order is PENDING.', needsSender),
  'order.state.pending-to-quoted': must(
    '3.1',
    'Accepting a valid quote takes a PENDING order to QUOTED.',
    needsMaker,
  ),
  'order.state.quoted-to-executing': must(
    '3.1',
    'After acceptance an order goes from QUOTED to EXECUTING by itself.',
    needsSettlement,
  ),
  'order.state.executing-to-settled': must(
    '3.1',
    'Once all legs are complete an order goes from EXECUTING to SETTLED by itself.',
    needsSettlement,
  ),
  'order.state.pending-to-expired': must(
    '3.1',
    'A PENDING order without an accepted quote becomes EXPIRED once `expires_at` has passed.',
    needsOrderExpiry,
  ),
  'order.state.pending-to-expired.not-early': must(
    '3.1',
    'A PENDING order does not expire before `expires_at`.',
    needsOrderExpiry,
  ),
  'order.state.pending-to-expired.though-quoted': must(
    '3.1',
    'A PENDING order with quotes, none of them accepted, expires as well.',
    needsRfqExpiry,
  ),
  'order.state.quoted-to-expired': must(
    '3.1',
    "A QUOTED order expires once its quote's `valid_until` has passed before settlement began.",
    needsQuoteExpiry,
  ),
  'order.state.quoted-to-expired.not-early': must(
    '3.1',
    "A QUOTED order that nobody cancels or withdraws does not expire before its quote's `valid_until`.",
    needsSettlement,
  ),
  'order.state.accepted-outlives-expires-at': must(
    '3.1',
    'Once a quote is accepted, passing `expires_at` no longer ends the order.',
    needsRfqExpiry,
  ),
  'order.state.pending-to-failed': must(
    '3.1',
    'A PENDING order whose validation fails is FAILED.',
    needsOf(['sender'], { controls: ['fail_validation'] }),
  ),
  'order.state.executing-to-failed': must(
    '3.1',
    'An EXECUTING order whose settlement fails is FAILED.',
    needsSettlementFailure,
  ),
  'order.state.cancel-ends-order': must(
    '3.1',
    'A cancelled order ends in a state of the list that claims no settlement: EXPIRED or FAILED.',
    needsSender,
  ),
  'order.state.listed-transitions-only': must(
    '3.1',
    'Every observer sees an order move only along the listed transitions; a cancel, a withdrawal and an exceeded window may end it as EXPIRED or FAILED.',
    needsSettlement,
  ),
  'order.state.settled-absorbs': must('3.1', 'A SETTLED order stays SETTLED.', needsSettlement),
  'order.state.expired-absorbs': must('3.1', 'An EXPIRED order stays EXPIRED.', needsOrderExpiry),
  'order.state.failed-absorbs': must('3.1', 'A FAILED order stays FAILED.', needsSender),
  'order.state.quote-needed': must(
    '3.1',
    'No order leaves PENDING for QUOTED without the acceptance of a quote.',
    needsMaker,
  ),
  'order.state.views-agree': must(
    '3.1',
    'Everybody who may read an order sees it go the same way to the same end.',
    needsOf(['sender', 'sender_custodian', 'maker_a'], { waitMs: waits.settlementMs }),
  ),
  'order.state.other-orders-untouched': must(
    '3.1',
    'Nothing that is done to one order changes another.',
    needsTwoMakers,
  ),
  'order.state.legal-under-race': must(
    '3.1',
    'An acceptance and a cancel that are sent at once leave an order that either of the two orders of effects explains.',
    needsMaker,
  ),
  'order.accepted.sets-quote-fields': must(
    '3.1',
    'All five fields of an accepted quote are set together with the move to QUOTED.',
    needsMaker,
  ),
  'order.settled.sets-hash': must(
    '3.1',
    '`transaction_hash` and `settled_at` are set together with the move to SETTLED.',
    needsSettlement,
  ),
  'order.accept.expired-order-refused': must(
    '3.1',
    'No quote is accepted on an EXPIRED order.',
    needsRfqExpiry,
  ),
  'order.accept.settled-order-refused': must(
    '3.1',
    'No other quote is accepted on an order that has settled.',
    needsSettlementTwoMakers,
  ),
  'order.accept.cancelled-order-refused': must(
    '3.1',
    'No quote is accepted on a cancelled order.',
    needsMaker,
  ),
  'order.accept.expired-quote-refused': must(
    '3.1',
    'A quote whose `valid_until` has passed cannot be accepted.',
    needsQuoteExpiry,
  ),
  'order.accept.second-quote-refused': must(
    '3.1',
    'Once a quote is accepted, no other quote on the order can be.',
    needsTwoMakers,
  ),
} as const satisfies Record<string, Requirement>;

/** Part 3.2: the ways of a quote. */
export const quoteStateRequirements = {
  'quote.state.starts-pending': must('3.2', 'A submitted quote is PENDING.', needsMaker),
  'quote.state.pending-to-accepted': must('3.2', 'The selected quote is ACCEPTED.', needsMaker),
  'quote.state.pending-to-rejected': must(
    '3.2',
    "Another market maker's pending quote on the order is REJECTED when one is selected.",
    needsTwoMakers,
  ),
  'quote.state.pending-to-rejected.every-rival': must(
    '3.2',
    'When a quote is selected, the pending quotes of all other makers are REJECTED, not just of one.',
    needsOf(['sender', 'maker_a', 'maker_b', 'maker_c']),
  ),
  'quote.state.pending-to-rejected.by-custodian': must(
    '3.2',
    "A selection by the sender's custodian rejects the quotes of other makers as well.",
    needsCustodianTwoMakers,
  ),
  'quote.state.pending-to-expired': must(
    '3.2',
    'A PENDING quote of an open order becomes EXPIRED once its `valid_until` has passed.',
    needsQuoteExpiry,
  ),
  'quote.state.pending-to-expired.not-early': must(
    '3.2',
    'A quote does not expire before its `valid_until` while its order is open.',
    needsQuoteExpiry,
  ),
  'quote.state.listed-transitions-only': must(
    '3.2',
    'Every observer sees a quote move only along the listed transitions; what becomes of an accepted one whose order ends unsettled is open.',
    needsTwoMakers,
  ),
  'quote.state.rejected-absorbs': must(
    '3.2',
    'A REJECTED quote stays REJECTED.',
    needsSettlementTwoMakers,
  ),
  'quote.state.expired-absorbs': must('3.2', 'An EXPIRED quote stays EXPIRED.', needsQuoteExpiry),
  'quote.state.accepted-stays-through-settlement': must(
    '3.2',
    'The accepted quote is still ACCEPTED when its order has settled.',
    needsSettlement,
  ),
  'quote.state.one-accepted-per-order': must(
    '3.2',
    'At most one quote of an order is ever ACCEPTED.',
    needsTwoMakers,
  ),
  'quote.state.one-accepted-under-race': must(
    '3.2',
    'When two acceptances are sent at once, at most one succeeds with its quote.',
    needsCustodianTwoMakers,
  ),
  'quote.state.usable-until-deadline': must(
    '2.3',
    'A PENDING quote of an open order can be accepted until its `valid_until`.',
    needsQuoteExpiry,
  ),
  'quote.state.other-orders-untouched': must(
    '3.2',
    'Selecting a quote on one order changes no quote on another.',
    needsTwoMakers,
  ),
  'quote.state.views-agree': must(
    '3.2',
    'The maker and the order side see a quote go the same way to the same end.',
    needsTwoMakers,
  ),
} as const satisfies Record<string, Requirement>;
