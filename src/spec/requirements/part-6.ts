import {
  custodyTrade,
  expiring,
  expiringRequest,
  failing,
  must,
  needing,
  ordering,
  requesting,
  rivalry,
  settling,
  settlingRivalry,
  vague,
  waits,
} from './needs.ts';
import type { Requirement } from './requirement.ts';

const beating = needing(['sender'], { waitMs: waits.heartbeatMs });
const makerBeating = needing(['maker_a'], { waitMs: waits.heartbeatMs });

/** Part 6: the streams, and the events of the order side. */
export const orderEventRequirements = {
  'event.has-name': must('6', 'Each message has an event name.', requesting),
  'event.payload-json': must('6', 'The data of each message is JSON.', requesting),
  'event.own-stream-only': must(
    '6',
    'Each event comes on the stream that it belongs to.',
    settling,
  ),
  'event.live': must(
    '6',
    'An event arrives while its stream is open, soon after its cause.',
    requesting,
  ),
  'event.every-open-stream': must(
    '6',
    'Each of several open streams of one party gets every event.',
    requesting,
  ),
  'event.after-cause': must('6', 'No event tells what cannot be read yet.', settlingRivalry),
  'event.in-order': must(
    '6',
    'The changes of one order arrive in the order in which they happened.',
    settling,
  ),
  'stream.opens': must(
    '6',
    'A party can open its stream.',
    needing(['sender', 'sender_custodian', 'maker_a']),
  ),
  'stream.stays-open': must('6', 'A stream stays open while nothing happens.', beating),
  'stream.intent-filter.only-that-order': must(
    '6',
    'A stream limited to one order carries no event of another.',
    requesting,
  ),
  'stream.intent-filter.all-of-that-order': must(
    '6',
    'A stream limited to one order carries every event of that order.',
    requesting,
  ),
  'stream.intent-filter.for-custodian': must(
    '6',
    'A custodian can limit its stream to one order as well.',
    custodyTrade,
  ),
  'stream.unfiltered-has-all': must(
    '6',
    'A stream without a limit carries the events of all own orders.',
    requesting,
  ),
  'event.order-updated.sent': must(
    '6',
    'A change of status sends `order_updated` to the institution that created the order.',
    settling,
  ),
  'event.order-updated.on-quoted': must(
    '6',
    'The move to QUOTED sends `order_updated`.',
    requesting,
  ),
  'event.order-updated.on-executing': must(
    '6',
    'The move to EXECUTING sends `order_updated`.',
    settling,
  ),
  'event.order-updated.on-settled': must(
    '6',
    'The move to SETTLED sends `order_updated`.',
    settling,
  ),
  'event.order-updated.on-expired': must(
    '6',
    'The move to EXPIRED sends `order_updated`.',
    expiring,
  ),
  'event.order-updated.on-failed': must(
    '6',
    'The move to FAILED by a failed settlement sends `order_updated`.',
    failing,
  ),
  'event.order-updated.on-cancel': must('6', 'A cancel sends `order_updated`.', ordering),
  'event.order-updated.to-sender-custodian': must(
    '6',
    "`order_updated` goes to the sender's custodian too.",
    needing(['sender', 'sender_custodian', 'maker_a'], { waitMs: waits.settlementMs }),
  ),
  'event.order-updated.not-to-strangers': must(
    '6',
    '`order_updated` goes to no institution and no custodian without a part in the order.',
    needing(['sender', 'outsider', 'outsider_custodian', 'maker_a']),
  ),
  'event.order-updated.once': must(
    '6',
    'One change of status sends one `order_updated` to a stream.',
    settling,
  ),
  'event.order-updated.only-on-change': must(
    '6',
    '`order_updated` is sent for a change only; of creation it is open.',
    settling,
  ),
  'event.order-updated.has-intent-id': must('6', '`order_updated` names the order.', requesting),
  'event.order-updated.has-status': must(
    '6',
    '`order_updated` carries the new status.',
    requesting,
  ),
  'event.order-updated.agrees-with-read': must(
    '6',
    'What `order_updated` shows of an order is what a read shows.',
    settling,
  ),
  'event.quote-received.sent': must(
    '6',
    'A new quote on a PENDING order sends `quote_received` to the sender.',
    requesting,
  ),
  'event.quote-received.every-quote': must(
    '6',
    'Each quote of each maker sends `quote_received`.',
    rivalry,
  ),
  'event.quote-received.to-sender-custodian': must(
    '6',
    "`quote_received` goes to the sender's custodian too.",
    custodyTrade,
  ),
  'event.quote-received.not-to-receiver-custodian': must(
    '6',
    "`quote_received` does not go to the receiver's custodian.",
    needing(['sender', 'receiver_custodian', 'maker_a']),
  ),
  'event.quote-received.not-to-strangers': must(
    '6',
    '`quote_received` goes to no institution and no custodian without a part in the order.',
    needing(['sender', 'outsider', 'outsider_custodian', 'maker_a']),
  ),
  'event.quote-received.once': must(
    '6',
    'One quote sends one `quote_received` to a stream.',
    requesting,
  ),
  'event.quote-received.only-after-quote': must(
    '6',
    '`quote_received` is sent for a submitted quote only, never for a refused one.',
    requesting,
  ),
  'event.quote-received.has-fx-rate': must(
    '6',
    '`quote_received` carries the rate of the quote.',
    requesting,
  ),
  'event.quote-received.has-target-amount': must(
    '6',
    '`quote_received` carries the target amount of the quote.',
    requesting,
  ),
  'event.quote-received.agrees-with-list': must(
    '6',
    "What `quote_received` shows of a quote is what the order's list of quotes shows.",
    requesting,
  ),
  'event.heartbeat.order-stream': must('6', 'An order stream carries `heartbeat`.', beating),
  'event.heartbeat.during-traffic': must(
    '6',
    'Heartbeats come on a busy stream as on a quiet one.',
    needing(['sender', 'maker_a'], { waitMs: waits.heartbeatMs }),
  ),
} as const satisfies Record<string, Requirement>;

/** Part 6: the events of a market maker. */
export const makerEventRequirements = {
  'event.quote-request-new.sent': must(
    '6',
    'A new order sends `quote_request_new` to a market maker.',
    requesting,
  ),
  'event.quote-request-new.to-every-maker': must(
    '6',
    '`quote_request_new` goes to every market maker.',
    rivalry,
  ),
  'event.quote-request-new.once': must(
    '6',
    'One new request sends one `quote_request_new` to a stream.',
    requesting,
  ),
  'event.quote-request-new.names-request': must(
    '6',
    '`quote_request_new` carries the request, its `intent_id` among it.',
    requesting,
  ),
  'event.quote-request-new.hides-sender-identity': must(
    '6',
    '`quote_request_new` identifies neither the sender nor its custodian, at any depth.',
    requesting,
  ),
  'event.quote-request-new.agrees-with-read': must(
    '6',
    'What `quote_request_new` shows is what reading the request shows.',
    requesting,
  ),
  'event.quote-request-expired.sent': must(
    '6',
    '`quote_request_expired` tells at least one market maker that a request has expired.',
    expiringRequest,
  ),
  'event.quote-request-expired.not-while-open': must(
    '6',
    '`quote_request_expired` is not sent for a request that can still be quoted.',
    requesting,
  ),
  'event.quote-request-expired.once': must(
    '6',
    'One end of a request sends at most one `quote_request_expired` to a stream.',
    expiringRequest,
  ),
  'event.quote-accepted.sent': must(
    '6',
    'The selection of a quote sends `quote_accepted` to its maker.',
    requesting,
  ),
  'event.quote-accepted.on-custodian-acceptance': must(
    '6',
    "A selection by the sender's custodian sends `quote_accepted` as well.",
    custodyTrade,
  ),
  'event.quote-accepted.not-to-others': must(
    '6',
    '`quote_accepted` goes to no other market maker.',
    rivalry,
  ),
  'event.quote-accepted.once': must(
    '6',
    'One selection sends one `quote_accepted` to a stream.',
    requesting,
  ),
  'event.quote-accepted.has-intent-id': must('6', '`quote_accepted` names the order.', requesting),
  'event.quote-accepted.has-fx-rate': must('6', '`quote_accepted` carries the rate.', requesting),
  'event.quote-accepted.agrees-with-quote': must(
    '6',
    'The rate in `quote_accepted` is that of the accepted quote.',
    rivalry,
  ),
  'event.quote-rejected.sent': must(
    '6',
    "The selection of another maker's quote sends `quote_rejected` to each maker that lost.",
    rivalry,
  ),
  'event.quote-rejected.to-every-loser': must(
    '6',
    'With several losers each gets `quote_rejected`.',
    needing(['sender', 'maker_a', 'maker_b', 'maker_c']),
  ),
  'event.quote-rejected.on-custodian-acceptance': must(
    '6',
    "A selection by the sender's custodian sends `quote_rejected` as well.",
    needing(['sender', 'sender_custodian', 'maker_a', 'maker_b']),
  ),
  'event.quote-rejected.not-to-winner': must(
    '6',
    '`quote_rejected` does not go to a winner with a single quote.',
    rivalry,
  ),
  'event.quote-rejected.not-to-uninvolved': must(
    '6',
    '`quote_rejected` does not go to a market maker that has not quoted.',
    needing(['sender', 'maker_a', 'maker_b', 'maker_c']),
  ),
  'event.quote-rejected.once': must(
    '6',
    'A maker with a single quote gets one `quote_rejected` on a stream.',
    rivalry,
  ),
  'event.quote-rejected.has-intent-id': must('6', '`quote_rejected` names the order.', rivalry),
  'event.quote-rejected.keeps-winner-secret': vague(
    '6',
    '`quote_rejected` tells nothing of who won, and at which rate.',
    rivalry,
  ),
  'event.settlement-completed.sent': must(
    '6',
    'A settled trade sends `settlement_completed` to its maker.',
    settling,
  ),
  'event.settlement-completed.not-to-others': must(
    '6',
    '`settlement_completed` goes to no other market maker.',
    settlingRivalry,
  ),
  'event.settlement-completed.once': must(
    '6',
    'One settlement sends one `settlement_completed` to a stream.',
    settling,
  ),
  'event.settlement-completed.only-settled': must(
    '6',
    '`settlement_completed` is not sent for a trade that has not settled.',
    failing,
  ),
  'event.settlement-completed.has-transaction-hash': must(
    '6',
    '`settlement_completed` carries the transaction hash.',
    settling,
  ),
  'event.settlement-completed.agrees-with-read': must(
    '6',
    'What `settlement_completed` shows is what reading the settlement shows.',
    settling,
  ),
  'event.heartbeat.maker-stream': must(
    '6',
    'A market maker stream carries `heartbeat`.',
    makerBeating,
  ),
} as const satisfies Record<string, Requirement>;
