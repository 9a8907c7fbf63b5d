import { needing, needs, part } from './needs.ts';

/** Part 3.1: the ways of an order. */
export const orderStateRequirements = part('3.1', needs.settlement, {
  'order.state.starts-pending': needing.sender('A new order is PENDING.'),
  'order.state.pending-to-quoted': needing.maker(
    'Accepting a valid quote takes a PENDING order to QUOTED.',
  ),
  'order.state.quoted-to-executing':
    'After acceptance an order goes from QUOTED to EXECUTING by itself.',
  'order.state.executing-to-settled':
    'Once all legs are complete an order goes from EXECUTING to SETTLED by itself.',
  'order.state.pending-to-expired': needing.orderExpiry(
    'A PENDING order without an accepted quote becomes EXPIRED once `expires_at` has passed.',
  ),
  'order.state.pending-to-expired.not-early': needing.orderExpiry(
    'A PENDING order does not expire before `expires_at`.',
  ),
  'order.state.pending-to-expired.though-quoted': needing.rfqExpiry(
    'A PENDING order with quotes, none of them accepted, expires as well.',
  ),
  'order.state.quoted-to-expired': needing.quoteExpiry(
    "A QUOTED order expires once its quote's `valid_until` has passed before settlement began.",
  ),
  'order.state.quoted-to-expired.not-early':
    "A QUOTED order that nobody cancels or withdraws does not expire before its quote's `valid_until`.",
  'order.state.accepted-outlives-expires-at': needing.rfqExpiry(
    'Once a quote is accepted, passing `expires_at` no longer ends the order.',
  ),
  'order.state.pending-to-failed': needing.validationFailure(
    'A PENDING order whose validation fails is FAILED.',
  ),
  'order.state.executing-to-failed': needing.settlementFailure(
    'An EXECUTING order whose settlement fails is FAILED.',
  ),
  'order.state.cancel-ends-order': needing.sender(
    'A cancelled order ends in a state of the list that claims no settlement: EXPIRED or FAILED.',
  ),
  'order.state.listed-transitions-only':
    'Every observer sees an order move only along the listed transitions; a cancel, a withdrawal and an exceeded window may end it as EXPIRED or FAILED.',
  'order.state.settled-absorbs': 'A SETTLED order stays SETTLED.',
  'order.state.expired-absorbs': needing.orderExpiry('An EXPIRED order stays EXPIRED.'),
  'order.state.failed-absorbs': needing.sender('A FAILED order stays FAILED.'),
  'order.state.quote-needed': needing.maker(
    'No order leaves PENDING for QUOTED without the acceptance of a quote.',
  ),
  'order.state.views-agree': needing.custodianSettlement(
    'Everybody who may read an order sees it go the same way to the same end.',
  ),
  'order.state.other-orders-untouched': needing.twoMakers(
    'Nothing that is done to one order changes another.',
  ),
  'order.state.legal-under-race': needing.maker(
    'An acceptance and a cancel that are sent at once leave an order that either of the two orders of effects explains.',
  ),
  'order.accepted.sets-quote-fields': needing.maker(
    'All five fields of an accepted quote are set together with the move to QUOTED.',
  ),
  'order.settled.sets-hash':
    '`transaction_hash` and `settled_at` are set together with the move to SETTLED.',
  'order.accept.expired-order-refused': needing.rfqExpiry(
    'No quote is accepted on an EXPIRED order.',
  ),
  'order.accept.settled-order-refused': needing.settlementTwoMakers(
    'No other quote is accepted on an order that has settled.',
  ),
  'order.accept.cancelled-order-refused': needing.maker(
    'No quote is accepted on a cancelled order.',
  ),
  'order.accept.expired-quote-refused': needing.quoteExpiry(
    'A quote whose `valid_until` has passed cannot be accepted.',
  ),
  'order.accept.second-quote-refused': needing.twoMakers(
    'Once a quote is accepted, no other quote on the order can be.',
  ),
});

/** Part 3.2: the ways of a quote. */
export const quoteStateRequirements = part('3.2', needs.twoMakers, {
  'quote.state.starts-pending': needing.maker('A submitted quote is PENDING.'),
  'quote.state.pending-to-accepted': needing.maker('The selected quote is ACCEPTED.'),
  'quote.state.pending-to-rejected':
    "Another market maker's pending quote on the order is REJECTED when one is selected.",
  'quote.state.pending-to-rejected.every-rival': needing.threeMakers(
    'When a quote is selected, the pending quotes of all other makers are REJECTED, not just of one.',
  ),
  'quote.state.pending-to-rejected.by-custodian': needing.custodianTwoMakers(
    "A selection by the sender's custodian rejects the quotes of other makers as well.",
  ),
  'quote.state.pending-to-expired': needing.quoteExpiry(
    'A PENDING quote of an open order becomes EXPIRED once its `valid_until` has passed.',
  ),
  'quote.state.pending-to-expired.not-early': needing.quoteExpiry(
    'A quote does not expire before its `valid_until` while its order is open.',
  ),
  'quote.state.listed-transitions-only':
    'Every observer sees a quote move only along the listed transitions; what becomes of an accepted one whose order ends unsettled is open.',
  'quote.state.rejected-absorbs': needing.settlementTwoMakers('A REJECTED quote stays REJECTED.'),
  'quote.state.expired-absorbs': needing.quoteExpiry('An EXPIRED quote stays EXPIRED.'),
  'quote.state.accepted-stays-through-settlement': needing.settlement(
    'The accepted quote is still ACCEPTED when its order has settled.',
  ),
  'quote.state.one-accepted-per-order': 'At most one quote of an order is ever ACCEPTED.',
  'quote.state.one-accepted-under-race': needing.custodianTwoMakers(
    'When two acceptances are sent at once, at most one succeeds with its quote.',
  ),
  'quote.state.usable-until-deadline': {
    ...needing.quoteExpiry(
      'A PENDING quote of an open order can be accepted until its `valid_until`.',
    ),
    part: '2.3',
  },
  'quote.state.other-orders-untouched':
    'Selecting a quote on one order changes no quote on another.',
  'quote.state.views-agree':
    'The maker and the order side see a quote go the same way to the same end.',
});
