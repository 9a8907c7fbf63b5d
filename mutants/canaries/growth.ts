import { ordersBy } from '../defects/reading.ts';
import { mutation } from '../mutation.ts';
import { type Canary, canary } from './canary.ts';

/** Defects that need many items, or an earlier event. */
export const growthCanaries: readonly Canary[] = [
  canary(
    mutation('twentieth-order-not-listed', 'order.list.complete')
      .summary('The twentieth order of a party is forgotten in its lists.')
      .listOrders(({ ownOrders, fits }) => {
        const forgotten = ownOrders.toReversed()[19];
        return forgotten && ownOrders.filter((one) => fits(one) && one !== forgotten);
      }),
    'twenty orders of one party',
  ),
  canary(
    mutation('twelfth-order-never-settles', 'order.state.executing-to-settled')
      .summary('The twelfth order of a sender, and each after it, executes for ever.')
      .unplanned('settlement-leg', (context) => {
        const { order } = context;
        const place = ordersBy(context, order?.senderPartyId).findIndex(
          ({ id }) => id === order?.id,
        );
        return place >= 11;
      }),
    'twelve orders of one sender',
    'a late one that is accepted',
  ),
  canary(
    mutation('after-a-failure-nobody-hears-of-settlements', 'event.order-updated.on-settled')
      .summary('A sender of which an order has failed is not told any more that one settled.')
      .unsent('order_updated', (context) => {
        const { order, status, toSender } = context;
        const own = ordersBy(context, order?.senderPartyId);
        const hasFailed = own.some((one) => one.status === 'FAILED' && one.accepted);
        return toSender && status === 'SETTLED' && hasFailed;
      }),
    'a settlement that fails',
    'another of the same sender that settles',
    'an open stream',
  ),
  canary(
    mutation('sixth-quote-of-an-order-untold', 'event.quote-received.every-quote')
      .summary('From the fourth quote on an order on, nobody is told.')
      .unsent('quote_received', ({ quotes }) => quotes.length >= 4),
    'four quotes of one order',
    'an open stream',
  ),
  canary(
    mutation('fifth-settlement-of-a-maker-not-listed', 'settlement.list.holds-won')
      .summary('A maker with three settlements finds the first two of them alone.')
      .envelopes('settlement.list', (envelope) => {
        const { data, pagination } = envelope;
        const isCut = Array.isArray(data) && data.length >= 3;
        return isCut && pagination ? { ...envelope, data: data.slice(-2) } : envelope;
      }),
    'three settlements that one maker won',
  ),
  canary(
    mutation('many-requests-at-once-break-a-list', 'order.list.complete')
      .summary('Of more than five reads of a party in one millisecond the last fail.')
      .setAnswer(['order.list', 'rfq.list'], (_, context) => {
        const { now, party } = context;
        return context.count(`${party?.partyId} ${now}`) > 5 && { status: 500, body: undefined };
      }),
    'a burst of reads',
  ),
  canary(
    mutation('token-of-its-last-second-refused', 'auth.token-lasts-until-expiry')
      .summary('A token is refused within its last second.')
      .tamper(() => ({
        admits: (decided, { authorization, now }) => {
          const claims = (authorization ?? '').split('.')[1];
          if (claims === undefined || decided !== 'admitted') return undefined;
          const { exp } = JSON.parse(atob(claims.replaceAll('-', '+').replaceAll('_', '/'))) as {
            exp?: number;
          };
          return exp !== undefined && exp * 1_000 - now <= 1_000 ? false : undefined;
        },
      })),
    'a request with an old token',
    'within a second of its end',
  ),
];
