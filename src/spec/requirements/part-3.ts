import { about, breach, needing, needs, part } from './needs.ts';

/** Part 3.1: the states of an order. */
export const orderStateRequirements = {
  ...about({ field: 'status' }, 'order.state', 'wrong state')('3.1', needs.settlement, {
    'starts-pending': needing.sender('A new order is PENDING.'),
    'pending-to-quoted': needing.maker('Accepting a valid quote takes a PENDING order to QUOTED.'),
    'quoted-to-executing': 'After acceptance an order goes from QUOTED to EXECUTING by itself.',
    'executing-to-settled':
      'Once all legs are complete an order goes from EXECUTING to SETTLED by itself.',
    'pending-to-expired': needing.orderExpiry(
      'A PENDING order without an accepted quote becomes EXPIRED once `expires_at` has passed.',
    ),
    'pending-to-expired.not-early': needing.orderExpiry(
      'A PENDING order does not expire before `expires_at`.',
    ),
    'pending-to-expired.though-quoted': needing.rfqExpiry(
      'A PENDING order with quotes, none of them accepted, expires as well.',
    ),
    'quoted-to-expired': needing.quoteExpiry(
      "A QUOTED order expires once its quote's `valid_until` has passed before settlement began.",
    ),
    'quoted-to-expired.not-early':
      "A QUOTED order that nobody cancels or withdraws does not expire before its quote's `valid_until`.",
    'accepted-outlives-expires-at': needing.rfqExpiry(
      'Once a quote is accepted, passing `expires_at` no longer ends the order.',
    ),
    'pending-to-failed': needing.validationFailure(
      'A PENDING order whose validation fails is FAILED.',
    ),
    'executing-to-failed': needing.settlementFailure(
      'An EXECUTING order whose settlement fails is FAILED.',
    ),
    'cancel-ends-order': needing.sender(
      'A cancelled order ends in a state of the list that claims no settlement: EXPIRED or FAILED.',
    ),
    'listed-transitions-only':
      'Every observer sees an order move only along the listed transitions; a cancel, a withdrawal and an exceeded window may end it as EXPIRED or FAILED.',
    'settled-absorbs': 'A SETTLED order stays SETTLED.',
    'expired-absorbs': needing.orderExpiry('An EXPIRED order stays EXPIRED.'),
    'failed-absorbs': needing.sender('A FAILED order stays FAILED.'),
    'quote-needed': needing.maker(
      'No order leaves PENDING for QUOTED without the acceptance of a quote.',
    ),
    'views-agree': needing.custodianSettlement(
      'Everybody who may read an order sees it go the same way to the same end.',
    ),
    'other-orders-untouched': needing.twoMakers(
      'Nothing that is done to one order changes another.',
    ),
    'legal-under-race': needing.maker(
      'An acceptance and a cancel that are sent at once leave an order that either of the two orders of effects explains.',
    ),
  }),
  ...part('3.1', needs.settlement, {
    'order.accepted.sets-quote-fields': breach('missing').maker(
      'All five fields of an accepted quote are set together with the move to QUOTED.',
    ),
    'order.settled.sets-hash': breach('missing')(
      '`transaction_hash` and `settled_at` are set together with the move to SETTLED.',
    ),
  }),
  ...about({ endpoint: 'quote.accept' }, 'order.accept')('3.1', needs.rfqExpiry, {
    'expired-order-refused': 'No quote is accepted on an EXPIRED order.',
    'settled-order-refused': needing.settlementTwoMakers(
      'No other quote is accepted on an order that has settled.',
    ),
    'cancelled-order-refused': needing.maker('No quote is accepted on a cancelled order.'),
    'expired-quote-refused': needing.quoteExpiry(
      'A quote whose `valid_until` has passed cannot be accepted.',
    ),
    'second-quote-refused': needing.twoMakers(
      'Once a quote is accepted, no other quote on the order can be.',
    ),
  }),
};

/** Part 3.2: the states of a quote. */
export const quoteStateRequirements = {
  ...about({ field: 'status' }, 'quote.state', 'wrong state')('3.2', needs.twoMakers, {
    'starts-pending': needing.maker('A submitted quote is PENDING.'),
    'pending-to-accepted': needing.maker('The selected quote is ACCEPTED.'),
    'pending-to-rejected':
      "Another market maker's pending quote on the order is REJECTED when one is selected.",
    'pending-to-rejected.every-rival': needing.threeMakers(
      'When a quote is selected, the pending quotes of all other makers are REJECTED, not just of one.',
    ),
    'pending-to-rejected.by-custodian': needing.custodianTwoMakers(
      "A selection by the sender's custodian rejects the quotes of other makers as well.",
    ),
    'pending-to-expired': needing.quoteExpiry(
      'A PENDING quote of an open order becomes EXPIRED once its `valid_until` has passed.',
    ),
    'pending-to-expired.not-early': needing.quoteExpiry(
      'A quote does not expire before its `valid_until` while its order is open.',
    ),
    'listed-transitions-only':
      'Every observer sees a quote move only along the listed transitions; what becomes of an accepted one whose order ends unsettled is open.',
    'rejected-absorbs': needing.settlementTwoMakers('A REJECTED quote stays REJECTED.'),
    'expired-absorbs': needing.quoteExpiry('An EXPIRED quote stays EXPIRED.'),
    'accepted-stays-through-settlement': needing.settlement(
      'The accepted quote is still ACCEPTED when its order has settled.',
    ),
    'one-accepted-per-order': 'At most one quote of an order is ever ACCEPTED.',
    'one-accepted-under-race': needing.custodianTwoMakers(
      'When two acceptances are sent at once, at most one succeeds with its quote.',
    ),
    'usable-until-deadline': needing.quoteExpiry(
      'A PENDING quote of an open order can be accepted until its `valid_until`.',
      '2.3',
    ),
    'other-orders-untouched': 'Selecting a quote on one order changes no quote on another.',
    'views-agree': 'The maker and the order side see a quote go the same way to the same end.',
  }),
};
