import { needing, needs, part, vague } from './needs.ts';

/** Part 6: the streams, and the events of the order side. */
export const orderEventRequirements = part('6', needs.maker, {
  'event.has-name': 'Each message has an event name.',
  'event.payload-json': 'The data of each message is JSON, of a heartbeat too, whatever it shows.',
  'event.own-stream-only': needing.settlement('Each event comes on the stream that it belongs to.'),
  'event.live': vague('event.latency', 'never', 'An event arrives soon after its cause.'),
  'event.every-open-stream':
    'Where a party may have several streams open at once, each gets every event.',
  'event.after-cause': needing.settlementTwoMakers('No event tells what cannot be read yet.'),
  'event.in-order': needing.settlement(
    'The changes of one order arrive in the order in which they happened.',
  ),
  'stream.opens': needing.custodianMaker('A party can open its stream.'),
  'stream.stays-open': needing.heartbeat(
    'A stream stays open from one heartbeat to the next though nothing else happens.',
  ),
  'stream.intent-filter.only-that-order':
    'A stream limited to one order carries no event of another.',
  'stream.intent-filter.all-of-that-order':
    'A stream limited to one order carries every event of that order.',
  'stream.intent-filter.for-custodian': needing.custodianMaker(
    'A custodian can limit its stream to one order as well.',
  ),
  'stream.unfiltered-has-all': 'A stream without a limit carries the events of all own orders.',
  'event.order-updated.sent': needing.settlement(
    'A change of status sends `order_updated` to the institution that created the order.',
  ),
  'event.order-updated.on-quoted': 'The move to QUOTED sends `order_updated`.',
  'event.order-updated.on-executing': needing.settlement(
    'The move to EXECUTING sends `order_updated`.',
  ),
  'event.order-updated.on-settled': needing.settlement(
    'The move to SETTLED sends `order_updated`.',
  ),
  'event.order-updated.on-expired': needing.orderExpiry(
    'The move to EXPIRED sends `order_updated`.',
  ),
  'event.order-updated.on-failed': needing.settlementFailure(
    'The move to FAILED by a failed settlement sends `order_updated`.',
  ),
  'event.order-updated.on-cancel': needing.sender('A cancel sends `order_updated`.'),
  'event.order-updated.to-sender-custodian': needing.custodianSettlement(
    "`order_updated` goes to the sender's custodian too.",
  ),
  'event.order-updated.not-to-strangers': needing.outsiders(
    '`order_updated` goes to no institution and no custodian without a part in the order.',
  ),
  'event.order-updated.not-to-receiver': needing.outsiderMaker(
    '`order_updated` goes to no institution whose part in the order is only to receive.',
  ),
  'event.order-updated.once': needing.settlement(
    'One change of status sends one `order_updated` to a stream.',
  ),
  'event.order-updated.only-on-change': needing.settlement(
    '`order_updated` is sent for a change only; of creation it is open.',
  ),
  'event.order-updated.has-intent-id': '`order_updated` names the order.',
  'event.order-updated.has-status': '`order_updated` carries the new status.',
  'event.order-updated.agrees-with-read': needing.settlement(
    'What `order_updated` shows of an order is what a read shows.',
  ),
  'event.quote-received.sent':
    'A quote submitted while its order is PENDING sends `quote_received` to the sender.',
  'event.quote-received.every-quote': needing.twoMakers(
    'Each quote of each maker sends `quote_received`.',
  ),
  'event.quote-received.to-sender-custodian': needing.custodianMaker(
    "`quote_received` goes to the sender's custodian too.",
  ),
  'event.quote-received.not-to-receiver-custodian': needing.receiverCustodianMaker(
    "`quote_received` does not go to the receiver's custodian.",
  ),
  'event.quote-received.not-to-strangers': needing.outsiders(
    '`quote_received` goes to no institution but the sender, and to no custodian without a part in the order.',
  ),
  'event.quote-received.once': 'One quote sends one `quote_received` to a stream.',
  'event.quote-received.only-after-quote':
    '`quote_received` is sent for a submitted quote only, never for a refused one.',
  'event.quote-received.has-fx-rate': '`quote_received` carries the rate of the quote.',
  'event.quote-received.has-target-amount':
    '`quote_received` carries the target amount of the quote.',
  'event.quote-received.agrees-with-list':
    "What `quote_received` shows of a quote is what the order's list of quotes shows.",
  'event.heartbeat.order-stream': needing.heartbeat('An order stream carries `heartbeat`.'),
  'event.heartbeat.during-traffic': vague(
    'heartbeat.phase',
    'never',
    needing.heartbeatTraffic('Heartbeats come on a busy stream as on a quiet one.'),
  ),
});
