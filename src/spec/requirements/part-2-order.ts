import { about, breach, needing, needs, of, part, vague } from './needs.ts';

/** Part 2.2: meaning of the order's fields. */
export const orderRequirements = {
  ...part('2.2', needs.settlement, {
    'order.intent-id.unique': of('intent_id').sender('No two orders share an `intent_id`.'),
    'order.intent-id.unchanged': breach('changed', 'intent_id')('An order keeps its `intent_id`.'),
    'order.sender-party-id.is-creator': of('sender_party_id').sender(
      '`sender_party_id` is the institution that created the order.',
    ),
    'order.sender-party-id.unchanged': breach(
      'changed',
      'sender_party_id',
    )('An order keeps its `sender_party_id`.'),
    'order.created-at.at-creation': of('created_at').sender(
      '`created_at` is the moment at which the order was created.',
    ),
    'order.created-at.unchanged': breach(
      'changed',
      'created_at',
    )('An order keeps its `created_at`.'),
  }),
  ...about({ field: 'expires_at' }, 'order.expires-at')('2.2', needs.settlement, {
    'after-creation': needing.sender('`expires_at` lies after `created_at`.'),
    'acceptable-until': needing.rfqExpiry(
      'A valid quote can be accepted until `expires_at`, late in the life of an order as well as early.',
    ),
    unchanged: vague('order.expiry_meaning', 'same-answer', 'changed').says(
      'An order keeps its `expires_at`.',
    ),
  }),
  ...part('2.2', needs.twoMakers, {
    'order.quote-id.names-accepted-quote': of('quote_id')(
      '`quote_id` of an order is the quote that was accepted.',
    ),
    'order.market-maker-party-id.is-winner': of('market_maker_party_id')(
      '`market_maker_party_id` of an order is the party whose quote was accepted.',
    ),
    'order.fx-rate.of-accepted-quote': of('fx_rate')(
      '`fx_rate` of an order is the rate of the accepted quote.',
    ),
    'order.source-amount-actual.of-accepted-quote': of('source_amount_actual')(
      '`source_amount_actual` is the source amount of the accepted quote.',
    ),
    'order.source-amount-actual.agrees-with-rate': of('source_amount_actual').maker(
      '`source_amount_actual`, `fx_rate` and the target amount agree, in one of the two orientations, up to the last place shown.',
    ),
    'order.source-amount-actual.at-most-max': of('source_amount_actual').maker(
      '`source_amount_actual` is never above `source_amount_max`.',
    ),
    'order.quote-accepted-at.at-acceptance': of('quote_accepted_at').maker(
      '`quote_accepted_at` is the moment at which the quote was accepted.',
    ),
    'order.settled-at.at-settlement': of('settled_at').settlement(
      '`settled_at` lies after `quote_accepted_at` and not after the order was first seen SETTLED.',
    ),
  }),
  ...part('2.2', needs.custodianSettlement, {
    'order.twins.same-amounts':
      'The amounts and the rate of an order follow from its terms and its quote alone.',
  }),
  ...about({ field: 'failure_reason' }, 'order.failure-reason')('2.2', needs.settlementFailure, {
    admissible: 'The failure reason of an order, in whichever field, is one of the six values.',
    'only-when-ended': vague('order.failure_reason_field', 'same-request', 'too early').settlement(
      'Only an order that ended without settling has a failure reason.',
    ),
    'not-when-settled': breach('too early').settlement(
      'An order that settled shows none of the reasons for which orders fail.',
    ),
    'views-agree': 'The failure reason of an order is the same wherever and whenever it is shown.',
    applies: needing.orderExpiry(
      'No order ends for a reason that it cannot have: none of a settlement where no quote was accepted, none of the price of quotes where there were none.',
    ),
    'no-quote': vague('expiry.reason', 'same-answer').orderExpiry(
      'An order that nobody quoted before it expired has the reason NO_QUOTE, where an expiry has one.',
    ),
    slippage: vague('slippage.meaning', 'same-answer').rfqExpiry(
      'SLIPPAGE is the reason of an order that failed on the price of its best quote.',
    ),
    timeout: vague('settlement.timeout_state', 'same-answer').settlementStalled(
      'An order whose settlement outlasted its window has the reason TIMEOUT.',
    ),
    revert: 'Where an order whose settlement was reverted shows a reason, it is REVERT.',
    'user-cancelled': needing.sender(
      'Where an order that its sender cancelled shows a reason, it is USER_CANCELLED.',
    ),
    'operator-withdrawn': needing.withdrawal(
      'Where an order that the operator withdrew shows a reason, it is OPERATOR_WITHDRAWN.',
    ),
  }),
};
