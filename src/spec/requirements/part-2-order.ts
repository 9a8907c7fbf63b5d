import {
  needsRfqExpiry,
  needsSettlementFailure,
  must,
  needsOf,
  needsSender,
  needsMaker,
  needsTwoMakers,
  needsSettlement,
  vague,
  waits,
} from './needs.ts';
import type { Requirement } from './requirement.ts';

/** Part 2.2: what the order's fields mean. */
export const orderRequirements = {
  'order.intent-id.unique': must('2.2', 'No two orders share an `intent_id`.', needsSender),
  'order.intent-id.unchanged': must('2.2', 'An order keeps its `intent_id`.', needsSettlement),
  'order.sender-party-id.is-creator': must(
    '2.2',
    '`sender_party_id` is the institution that created the order.',
    needsSender,
  ),
  'order.sender-party-id.unchanged': must(
    '2.2',
    'An order keeps its `sender_party_id`.',
    needsSettlement,
  ),
  'order.created-at.at-creation': must(
    '2.2',
    '`created_at` is the moment at which the order was created.',
    needsSender,
  ),
  'order.created-at.unchanged': must('2.2', 'An order keeps its `created_at`.', needsSettlement),
  'order.expires-at.after-creation': must(
    '2.2',
    '`expires_at` lies after `created_at`.',
    needsSender,
  ),
  'order.expires-at.acceptable-until': must(
    '2.2',
    'A valid quote can be accepted until `expires_at`, late in the life of an order as well as early.',
    needsRfqExpiry,
  ),
  'order.expires-at.unchanged': vague('2.2', 'An order keeps its `expires_at`.', needsSettlement),
  'order.quote-id.names-accepted-quote': must(
    '2.2',
    '`quote_id` of an order is the quote that was accepted.',
    needsTwoMakers,
  ),
  'order.market-maker-party-id.is-winner': must(
    '2.2',
    '`market_maker_party_id` of an order is the party whose quote was accepted.',
    needsTwoMakers,
  ),
  'order.fx-rate.of-accepted-quote': must(
    '2.2',
    '`fx_rate` of an order is the rate of the accepted quote.',
    needsTwoMakers,
  ),
  'order.source-amount-actual.of-accepted-quote': must(
    '2.2',
    '`source_amount_actual` is the source amount of the accepted quote.',
    needsTwoMakers,
  ),
  'order.source-amount-actual.agrees-with-rate': must(
    '2.2',
    '`source_amount_actual`, `fx_rate` and the target amount agree, in one of the two orientations, up to the last place shown.',
    needsMaker,
  ),
  'order.source-amount-actual.at-most-max': must(
    '2.2',
    '`source_amount_actual` is never above `source_amount_max`.',
    needsMaker,
  ),
  'order.quote-accepted-at.at-acceptance': must(
    '2.2',
    '`quote_accepted_at` is the moment at which the quote was accepted.',
    needsMaker,
  ),
  'order.settled-at.at-settlement': must(
    '2.2',
    '`settled_at` lies after `quote_accepted_at` and not after the order was first seen SETTLED.',
    needsSettlement,
  ),
  'order.failure-reason.admissible': must(
    '2.2',
    'The failure reason of an order, in whichever field, is one of the six values.',
    needsSettlementFailure,
  ),
  'order.failure-reason.only-when-ended': vague(
    '2.2',
    'Only an order that ended without settling has a failure reason.',
    needsSettlement,
  ),
  'order.failure-reason.not-when-settled': must(
    '2.2',
    'An order that settled shows none of the reasons for which orders fail.',
    needsSettlement,
  ),
  'order.failure-reason.views-agree': must(
    '2.2',
    'The failure reason of an order is the same wherever and whenever it is shown.',
    needsSettlementFailure,
  ),
  'order.failure-reason.no-quote': vague(
    '2.2',
    'An order that nobody quoted before it expired has the reason NO_QUOTE, where an expiry has one.',
    needsOf(['sender'], { waitMs: waits.orderExpiryMs }),
  ),
  'order.failure-reason.slippage': vague(
    '2.2',
    'SLIPPAGE is the reason of an order that failed on the price of its best quote.',
    needsOf(['sender', 'maker_a'], { waitMs: waits.orderExpiryMs }),
  ),
  'order.failure-reason.timeout': vague(
    '2.2',
    'An order whose settlement outlasted its window has the reason TIMEOUT.',
    needsOf(['sender', 'maker_a'], {
      waitMs: waits.settlementWindowMs,
      controls: ['stall_settlement'],
    }),
  ),
  'order.failure-reason.revert': must(
    '2.2',
    'Where an order whose settlement was reverted shows a reason, it is REVERT.',
    needsSettlementFailure,
  ),
  'order.failure-reason.user-cancelled': must(
    '2.2',
    'Where an order that its sender cancelled shows a reason, it is USER_CANCELLED.',
    needsSender,
  ),
  'order.failure-reason.operator-withdrawn': must(
    '2.2',
    'Where an order that the operator withdrew shows a reason, it is OPERATOR_WITHDRAWN.',
    needsOf(['sender'], { controls: ['withdraw_order'] }),
  ),
} as const satisfies Record<string, Requirement>;
