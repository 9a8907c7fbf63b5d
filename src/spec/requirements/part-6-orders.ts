import {
  needsCustodianMaker,
  needsOrderExpiry,
  needsSettlementFailure,
  must,
  needsOf,
  needsSender,
  needsMaker,
  needsTwoMakers,
  needsSettlement,
  needsSettlementTwoMakers,
  vague,
  waits,
} from './needs.ts';
import type { Requirement } from './requirement.ts';

const beating = needsOf(['sender'], { waitMs: waits.heartbeatMs });

/** Part 6: the streams, and the events of the order side. */
export const orderEventRequirements = {
  'event.has-name': must('6', 'Each message has an event name.', needsMaker),
  'event.payload-json': must(
    '6',
    'The data of each message is JSON; of a heartbeat, whose payload is not shown, this is advice.',
    needsMaker,
  ),
  'event.own-stream-only': must(
    '6',
    'Each event comes on the stream that it belongs to.',
    needsSettlement,
  ),
  'event.live': vague('6', 'An event arrives soon after its cause.', needsMaker),
  'event.every-open-stream': must(
    '6',
    'Where a party may have several streams open at once, each gets every event.',
    needsMaker,
  ),
  'event.after-cause': must(
    '6',
    'No event tells what cannot be read yet.',
    needsSettlementTwoMakers,
  ),
  'event.in-order': must(
    '6',
    'The changes of one order arrive in the order in which they happened.',
    needsSettlement,
  ),
  'stream.opens': must(
    '6',
    'A party can open its stream.',
    needsOf(['sender', 'sender_custodian', 'maker_a']),
  ),
  'stream.stays-open': must(
    '6',
    'A stream stays open from one heartbeat to the next though nothing else happens.',
    beating,
  ),
  'stream.intent-filter.only-that-order': must(
    '6',
    'A stream limited to one order carries no event of another.',
    needsMaker,
  ),
  'stream.intent-filter.all-of-that-order': must(
    '6',
    'A stream limited to one order carries every event of that order.',
    needsMaker,
  ),
  'stream.intent-filter.for-custodian': must(
    '6',
    'A custodian can limit its stream to one order as well.',
    needsCustodianMaker,
  ),
  'stream.unfiltered-has-all': must(
    '6',
    'A stream without a limit carries the events of all own orders.',
    needsMaker,
  ),
  'event.order-updated.sent': must(
    '6',
    'A change of status sends `order_updated` to the institution that created the order.',
    needsSettlement,
  ),
  'event.order-updated.on-quoted': must(
    '6',
    'The move to QUOTED sends `order_updated`.',
    needsMaker,
  ),
  'event.order-updated.on-executing': must(
    '6',
    'The move to EXECUTING sends `order_updated`.',
    needsSettlement,
  ),
  'event.order-updated.on-settled': must(
    '6',
    'The move to SETTLED sends `order_updated`.',
    needsSettlement,
  ),
  'event.order-updated.on-expired': must(
    '6',
    'The move to EXPIRED sends `order_updated`.',
    needsOrderExpiry,
  ),
  'event.order-updated.on-failed': must(
    '6',
    'The move to FAILED by a failed settlement sends `order_updated`.',
    needsSettlementFailure,
  ),
  'event.order-updated.on-cancel': must('6', 'A cancel sends `order_updated`.', needsSender),
  'event.order-updated.to-sender-custodian': must(
    '6',
    "`order_updated` goes to the sender's custodian too.",
    needsOf(['sender', 'sender_custodian', 'maker_a'], { waitMs: waits.settlementMs }),
  ),
  'event.order-updated.not-to-strangers': must(
    '6',
    '`order_updated` goes to no institution and no custodian without a part in the order.',
    needsOf(['sender', 'outsider', 'outsider_custodian', 'maker_a']),
  ),
  'event.order-updated.once': must(
    '6',
    'One change of status sends one `order_updated` to a stream.',
    needsSettlement,
  ),
  'event.order-updated.only-on-change': must(
    '6',
    '`order_updated` is sent for a change only; of creation it is open.',
    needsSettlement,
  ),
  'event.order-updated.has-intent-id': must('6', '`order_updated` names the order.', needsMaker),
  'event.order-updated.has-status': must(
    '6',
    '`order_updated` carries the new status.',
    needsMaker,
  ),
  'event.order-updated.agrees-with-read': must(
    '6',
    'What `order_updated` shows of an order is what a read shows.',
    needsSettlement,
  ),
  'event.quote-received.sent': must(
    '6',
    'A quote submitted while its order is PENDING sends `quote_received` to the sender.',
    needsMaker,
  ),
  'event.quote-received.every-quote': must(
    '6',
    'Each quote of each maker sends `quote_received`.',
    needsTwoMakers,
  ),
  'event.quote-received.to-sender-custodian': must(
    '6',
    "`quote_received` goes to the sender's custodian too.",
    needsCustodianMaker,
  ),
  'event.quote-received.not-to-receiver-custodian': must(
    '6',
    "`quote_received` does not go to the receiver's custodian.",
    needsOf(['sender', 'receiver_custodian', 'maker_a']),
  ),
  'event.quote-received.not-to-strangers': must(
    '6',
    '`quote_received` goes to no institution but the sender, and to no custodian without a part in the order.',
    needsOf(['sender', 'outsider', 'outsider_custodian', 'maker_a']),
  ),
  'event.quote-received.once': must(
    '6',
    'One quote sends one `quote_received` to a stream.',
    needsMaker,
  ),
  'event.quote-received.only-after-quote': must(
    '6',
    '`quote_received` is sent for a submitted quote only, never for a refused one.',
    needsMaker,
  ),
  'event.quote-received.has-fx-rate': must(
    '6',
    '`quote_received` carries the rate of the quote.',
    needsMaker,
  ),
  'event.quote-received.has-target-amount': must(
    '6',
    '`quote_received` carries the target amount of the quote.',
    needsMaker,
  ),
  'event.quote-received.agrees-with-list': must(
    '6',
    "What `quote_received` shows of a quote is what the order's list of quotes shows.",
    needsMaker,
  ),
  'event.heartbeat.order-stream': must('6', 'An order stream carries `heartbeat`.', beating),
  'event.heartbeat.during-traffic': vague(
    '6',
    'Heartbeats come on a busy stream as on a quiet one.',
    needsOf(['sender', 'maker_a'], { waitMs: waits.heartbeatMs }),
  ),
} as const satisfies Record<string, Requirement>;
