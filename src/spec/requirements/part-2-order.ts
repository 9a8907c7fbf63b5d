import { needing, needs, part, vague } from './needs.ts';

/** Part 2.2: what the order's fields mean. */
export const orderRequirements = part('2.2', needs.settlement, {
  'order.intent-id.unique': needing.sender('No two orders share an `intent_id`.'),
  'order.intent-id.unchanged': 'An order keeps its `intent_id`.',
  'order.sender-party-id.is-creator': needing.sender(
    '`sender_party_id` is the institution that created the order.',
  ),
  'order.sender-party-id.unchanged': 'An order keeps its `sender_party_id`.',
  'order.created-at.at-creation': needing.sender(
    '`created_at` is the moment at which the order was created.',
  ),
  'order.created-at.unchanged': 'An order keeps its `created_at`.',
  'order.expires-at.after-creation': needing.sender('`expires_at` lies after `created_at`.'),
  'order.expires-at.acceptable-until': needing.rfqExpiry(
    'A valid quote can be accepted until `expires_at`, late in the life of an order as well as early.',
  ),
  'order.expires-at.unchanged': vague(
    'order.expiry_meaning',
    'same-answer',
    'An order keeps its `expires_at`.',
  ),
  'order.quote-id.names-accepted-quote': needing.twoMakers(
    '`quote_id` of an order is the quote that was accepted.',
  ),
  'order.market-maker-party-id.is-winner': needing.twoMakers(
    '`market_maker_party_id` of an order is the party whose quote was accepted.',
  ),
  'order.fx-rate.of-accepted-quote': needing.twoMakers(
    '`fx_rate` of an order is the rate of the accepted quote.',
  ),
  'order.source-amount-actual.of-accepted-quote': needing.twoMakers(
    '`source_amount_actual` is the source amount of the accepted quote.',
  ),
  'order.source-amount-actual.agrees-with-rate': needing.maker(
    '`source_amount_actual`, `fx_rate` and the target amount agree, in one of the two orientations, up to the last place shown.',
  ),
  'order.source-amount-actual.at-most-max': needing.maker(
    '`source_amount_actual` is never above `source_amount_max`.',
  ),
  'order.twins.same-amounts': needing.custodianSettlement(
    'The amounts and the rate of an order follow from its terms and its quote alone.',
  ),
  'order.quote-accepted-at.at-acceptance': needing.maker(
    '`quote_accepted_at` is the moment at which the quote was accepted.',
  ),
  'order.settled-at.at-settlement':
    '`settled_at` lies after `quote_accepted_at` and not after the order was first seen SETTLED.',
  'order.failure-reason.admissible': needing.settlementFailure(
    'The failure reason of an order, in whichever field, is one of the six values.',
  ),
  'order.failure-reason.only-when-ended': vague(
    'order.failure_reason_field',
    'same-request',
    'Only an order that ended without settling has a failure reason.',
  ),
  'order.failure-reason.not-when-settled':
    'An order that settled shows none of the reasons for which orders fail.',
  'order.failure-reason.views-agree': needing.settlementFailure(
    'The failure reason of an order is the same wherever and whenever it is shown.',
  ),
  'order.failure-reason.applies': needing.orderExpiry(
    'No order ends for a reason that it cannot have: none of a settlement where no quote was accepted, none of the price of quotes where there were none.',
  ),
  'order.failure-reason.no-quote': vague(
    'expiry.reason',
    'same-answer',
    needing.orderExpiry(
      'An order that nobody quoted before it expired has the reason NO_QUOTE, where an expiry has one.',
    ),
  ),
  'order.failure-reason.slippage': vague(
    'slippage.meaning',
    'same-answer',
    needing.rfqExpiry(
      'SLIPPAGE is the reason of an order that failed on the price of its best quote.',
    ),
  ),
  'order.failure-reason.timeout': vague(
    'settlement.timeout_state',
    'same-answer',
    needing.settlementStalled(
      'An order whose settlement outlasted its window has the reason TIMEOUT.',
    ),
  ),
  'order.failure-reason.revert': needing.settlementFailure(
    'Where an order whose settlement was reverted shows a reason, it is REVERT.',
  ),
  'order.failure-reason.user-cancelled': needing.sender(
    'Where an order that its sender cancelled shows a reason, it is USER_CANCELLED.',
  ),
  'order.failure-reason.operator-withdrawn': needing.withdrawal(
    'Where an order that the operator withdrew shows a reason, it is OPERATOR_WITHDRAWN.',
  ),
});
