import { about, breach, needing, needs, on, part, vague } from './needs.ts';

/** Part 6: the streams, and the events of the order side. */
export const orderEventRequirements = {
  ...part('6', needs.maker, {
    'event.has-name': breach('missing')('Each message has an event name.'),
    'event.payload-json': breach('wrong form')(
      'The data of each message is JSON, of a heartbeat too, whatever it shows.',
    ),
    'event.own-stream-only': breach('to others').settlement(
      'Each event comes on the stream that it belongs to.',
    ),
    'event.live': vague('event.latency', 'never', 'late or early').says(
      'An event arrives soon after its cause.',
    ),
    'event.every-open-stream': breach('not sent')(
      'Where a party may have several streams open at once, each gets every event.',
    ),
    'event.after-cause': breach('out of order').settlementTwoMakers(
      'No event tells what cannot be read yet.',
    ),
    'event.in-order': breach('out of order').settlement(
      'The changes of one order arrive in the order in which they happened.',
    ),
    'stream.opens': breach('refused').custodianMaker('A party can open its stream.'),
    'stream.stays-open': breach('late or early').heartbeat(
      'A stream stays open from one heartbeat to the next though nothing else happens.',
    ),
  }),
  ...about({ endpoint: 'order.events' }, 'stream.intent-filter')('6', needs.maker, {
    'only-that-order': breach('too much')(
      'A stream limited to one order carries no event of another.',
    ),
    'all-of-that-order': breach('not sent')(
      'A stream limited to one order carries every event of that order.',
    ),
    'for-custodian': needing.custodianMaker(
      'A custodian can limit its stream to one order as well.',
    ),
  }),
  ...part('6', needs.maker, {
    'stream.unfiltered-has-all': breach('not sent')(
      'A stream without a limit carries the events of all own orders.',
    ),
  }),
  ...on('order_updated', 'not sent')('6', needs.settlement, {
    sent: 'A change of status sends `order_updated` to the institution that created the order.',
    'on-quoted': needing.maker('The move to QUOTED sends `order_updated`.'),
    'on-executing': 'The move to EXECUTING sends `order_updated`.',
    'on-settled': 'The move to SETTLED sends `order_updated`.',
    'on-expired': needing.orderExpiry('The move to EXPIRED sends `order_updated`.'),
    'on-failed': needing.settlementFailure(
      'The move to FAILED by a failed settlement sends `order_updated`.',
    ),
    'on-cancel': needing.sender('A cancel sends `order_updated`.'),
    'to-sender-custodian': needing.custodianSettlement(
      "`order_updated` goes to the sender's custodian too.",
    ),
  }),
  ...on('order_updated')('6', needs.settlement, {
    'not-to-strangers': breach('to others').outsiders(
      '`order_updated` goes to no institution and no custodian without a part in the order.',
    ),
    'not-to-receiver': breach('to others').outsiderMaker(
      '`order_updated` goes to no institution whose part in the order is only to receive.',
    ),
    once: breach('repeated')('One change of status sends one `order_updated` to a stream.'),
    'only-on-change': breach('repeated')(
      '`order_updated` is sent for a change only; of creation it is open.',
    ),
    'has-intent-id': breach('missing', 'intent_id').maker('`order_updated` names the order.'),
    'has-status': breach('missing', 'status').maker('`order_updated` carries the new status.'),
    'agrees-with-read': 'What `order_updated` shows of an order is what a read shows.',
  }),
  ...on('quote_received')('6', needs.maker, {
    sent: breach('not sent')(
      'A quote submitted while its order is PENDING sends `quote_received` to the sender.',
    ),
    'every-quote': breach('not sent').twoMakers('Each quote of each maker sends `quote_received`.'),
    'to-sender-custodian': breach('not sent').custodianMaker(
      "`quote_received` goes to the sender's custodian too.",
    ),
    'not-to-receiver-custodian': breach('to others').receiverCustodianMaker(
      "`quote_received` does not go to the receiver's custodian.",
    ),
    'not-to-strangers': breach('to others').outsiders(
      '`quote_received` goes to no institution but the sender, and to no custodian without a part in the order.',
    ),
    once: breach('repeated')('One quote sends one `quote_received` to a stream.'),
    'only-after-quote': breach('out of order')(
      '`quote_received` is sent for a submitted quote only, never for a refused one.',
    ),
    'has-fx-rate': breach('missing', 'fx_rate')('`quote_received` carries the rate of the quote.'),
    'has-target-amount': breach(
      'missing',
      'target_amount',
    )('`quote_received` carries the target amount of the quote.'),
    'agrees-with-list':
      "What `quote_received` shows of a quote is what the order's list of quotes shows.",
  }),
  ...on('heartbeat', 'not sent')('6', needs.heartbeat, {
    'order-stream': 'An order stream carries `heartbeat`.',
    'during-traffic': vague('heartbeat.phase', 'never').heartbeatTraffic(
      'Heartbeats come on a busy stream as on a quiet one.',
    ),
  }),
};
