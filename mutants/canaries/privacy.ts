import type { Order } from '../../src/reference/core/index.ts';
import { orderOf } from '../../src/reference/core/index.ts';
import { mutation } from '../mutation.ts';
import { type Canary, canary } from './canary.ts';

/** True if the last hex digit of the sender's identifier is even: one of two kinds of senders. */
const isEven = ({ senderPartyId }: Order): boolean =>
  Number.parseInt(senderPartyId.slice(-1), 16) % 2 === 0;

/** Defects by which messages to makers depend on the sender, though nothing names it. */
export const privacyCanaries: readonly Canary[] = [
  canary(
    mutation('requests-of-some-senders-a-millisecond-later', 'rfq.senders-not-told-apart')
      .summary('Makers hear of the requests of half of the senders a little later.')
      .eventDelay((event, { state }) => {
        const order = orderOf(state, event.intentId);
        return event.event === 'quote_request_new' && order && isEven(order) ? 3 : 0;
      }),
    'two worlds that differ in the sender alone',
  ),
  canary(
    mutation('fields-in-another-order-for-some-senders', 'rfq.senders-not-told-apart')
      .summary('The fields of a request are in another order for half of the senders.')
      .items(['rfq.list', 'rfq.read'], (item, { order }) => {
        if (!order || !isEven(order)) return item;
        const { intent_id, ...rest } = item;
        return { ...rest, intent_id };
      }),
    'two worlds that differ in the sender alone',
    'a read of requests by a maker',
  ),
  canary(
    mutation('losers-told-in-another-way-for-some-senders', 'rfq.senders-not-told-apart')
      .summary('quote_rejected says the rate of half of the senders with one zero more.')
      .setPayload('quote_rejected', (data, { order }) => {
        const rate = data.fx_rate;
        const isMeant = order && isEven(order) && typeof rate === 'string' && rate.includes('.');
        return isMeant && { fx_rate: `${rate}0` };
      }),
    'two worlds that differ in the sender alone',
    'a maker that loses',
  ),
];
