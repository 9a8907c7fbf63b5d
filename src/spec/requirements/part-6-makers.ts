import {
  needsCustodianMaker,
  needsRfqExpiry,
  needsSettlementFailure,
  must,
  needsOf,
  needsMaker,
  needsTwoMakers,
  needsSettlement,
  needsSettlementTwoMakers,
  vague,
  waits,
} from './needs.ts';
import type { Requirement } from './requirement.ts';

const makerBeating = needsOf(['maker_a'], { waitMs: waits.heartbeatMs });

/** Part 6: the events of a market maker. */
export const makerEventRequirements = {
  'event.quote-request-new.sent': must(
    '6',
    'A new order that can be quoted sends `quote_request_new` to a market maker.',
    needsMaker,
  ),
  'event.quote-request-new.to-every-maker': must(
    '6',
    '`quote_request_new` goes to every market maker.',
    needsTwoMakers,
  ),
  'event.quote-request-new.once': must(
    '6',
    'One new request sends one `quote_request_new` to a stream.',
    needsMaker,
  ),
  'event.quote-request-new.names-request': vague(
    '6',
    '`quote_request_new` carries the request as an object, so that its `intent_id` can be read; no field is named.',
    needsMaker,
  ),
  'event.quote-request-new.hides-sender-identity': must(
    '6',
    '`quote_request_new` identifies neither the sender nor its custodian, at any depth.',
    needsMaker,
  ),
  'event.quote-request-new.agrees-with-read': must(
    '6',
    'What `quote_request_new` shows is what reading the request shows.',
    needsMaker,
  ),
  'event.quote-request-expired.sent': must(
    '6',
    'Where one market maker has quoted a request and one has not, `quote_request_expired` tells at least one of them that it has expired.',
    needsOf(['sender', 'maker_a', 'maker_b'], { waitMs: waits.orderExpiryMs }),
  ),
  'event.quote-request-expired.not-while-open': must(
    '6',
    '`quote_request_expired` is not sent for a request that can still be quoted.',
    needsMaker,
  ),
  'event.quote-request-expired.once': must(
    '6',
    'One end of a request sends at most one `quote_request_expired` to a stream.',
    needsRfqExpiry,
  ),
  'event.quote-accepted.sent': must(
    '6',
    'The selection of a quote sends `quote_accepted` to its maker.',
    needsMaker,
  ),
  'event.quote-accepted.on-custodian-acceptance': must(
    '6',
    "A selection by the sender's custodian sends `quote_accepted` as well.",
    needsCustodianMaker,
  ),
  'event.quote-accepted.not-to-others': must(
    '6',
    '`quote_accepted` goes to no other market maker.',
    needsTwoMakers,
  ),
  'event.quote-accepted.once': must(
    '6',
    'One selection sends one `quote_accepted` to a stream.',
    needsMaker,
  ),
  'event.quote-accepted.has-intent-id': must('6', '`quote_accepted` names the order.', needsMaker),
  'event.quote-accepted.has-fx-rate': must('6', '`quote_accepted` carries the rate.', needsMaker),
  'event.quote-accepted.agrees-with-quote': must(
    '6',
    'The rate in `quote_accepted`, and what else it shows of a quote, is that of the accepted quote.',
    needsTwoMakers,
  ),
  'event.quote-rejected.sent': must(
    '6',
    "The selection of another maker's quote sends `quote_rejected` to each maker whose pending quote lost.",
    needsTwoMakers,
  ),
  'event.quote-rejected.to-every-loser': must(
    '6',
    'With several losers each gets `quote_rejected`.',
    needsOf(['sender', 'maker_a', 'maker_b', 'maker_c']),
  ),
  'event.quote-rejected.on-custodian-acceptance': must(
    '6',
    "A selection by the sender's custodian sends `quote_rejected` as well.",
    needsOf(['sender', 'sender_custodian', 'maker_a', 'maker_b']),
  ),
  'event.quote-rejected.not-to-winner': must(
    '6',
    '`quote_rejected` does not go to a winner with a single quote.',
    needsTwoMakers,
  ),
  'event.quote-rejected.not-to-uninvolved': must(
    '6',
    '`quote_rejected` does not go to a market maker that has not quoted.',
    needsOf(['sender', 'maker_a', 'maker_b', 'maker_c']),
  ),
  'event.quote-rejected.once': must(
    '6',
    'A maker with a single quote gets one `quote_rejected` on a stream.',
    needsTwoMakers,
  ),
  'event.quote-rejected.has-intent-id': must(
    '6',
    '`quote_rejected` names the order.',
    needsTwoMakers,
  ),
  'event.quote-rejected.keeps-winner-secret': vague(
    '6',
    '`quote_rejected` tells nothing of who won, and at which rate.',
    needsTwoMakers,
  ),
  'event.settlement-completed.sent': must(
    '6',
    'A settled trade sends `settlement_completed` to its maker.',
    needsSettlement,
  ),
  'event.settlement-completed.not-to-others': must(
    '6',
    '`settlement_completed` goes to no other market maker.',
    needsSettlementTwoMakers,
  ),
  'event.settlement-completed.once': must(
    '6',
    'One settlement sends one `settlement_completed` to a stream.',
    needsSettlement,
  ),
  'event.settlement-completed.only-settled': must(
    '6',
    '`settlement_completed` is not sent for a trade that has not settled.',
    needsSettlementFailure,
  ),
  'event.settlement-completed.has-transaction-hash': must(
    '6',
    '`settlement_completed` carries the transaction hash.',
    needsSettlement,
  ),
  'event.settlement-completed.agrees-with-read': must(
    '6',
    'What `settlement_completed` shows is what reading the settlement shows.',
    needsSettlement,
  ),
  'event.heartbeat.maker-stream': must(
    '6',
    'A market maker stream carries `heartbeat`.',
    makerBeating,
  ),
} as const satisfies Record<string, Requirement>;
