import type { Order } from '../src/reference/core/index.ts';
import { isPending } from './defects/conditions.ts';
import { part } from './defects/reading.ts';
import { momentOf } from './defects/values.ts';
import { mutation, type Written } from './mutation.ts';

const dayMs = 24 * 3_600_000;
const dayOf = (moment: number): number => Math.floor(moment / dayMs);

/** True if a PENDING order is within its last second. */
const isLastSecond = (order: Order | undefined, now: number): boolean =>
  order !== undefined && isPending(order) && now >= order.expiresAt - 1_000;

/** Defects in the last second before a deadline, and at midnight (2.2, 3.1). */
export const lastMomentMutations: readonly Written[] = [
  mutation('cancel-of-the-last-second-is-lost', 'order.state.cancel-ends-order')
    .also('order.failure-reason.user-cancelled')
    .summary('A cancel in the last second of an order is answered with success and not done.')
    .outcomes('order.cancel', (_, { order, state, now }) => {
      return isLastSecond(order, now) && { state, events: [], deadlines: [] };
    }),
  mutation('cancel-of-the-last-second-refused', 'order.cancel.pending-with-quotes')
    .summary('An order cannot be cancelled any more in the last second of its life.')
    .ignored('order.cancel', ({ order, now }) => isLastSecond(order, now)),
  mutation('quote-of-the-last-second-is-lost', 'quote.submit.shown-to-order-side')
    .also('rfq.quotes.complete')
    .summary('A quote in the last second of a request is answered with 201 and not kept.')
    .outcomes('quote.submit', (_, { order, state, now }) => {
      return isLastSecond(order, now) && { state, events: [], deadlines: [] };
    }),
  mutation('quote-of-the-last-second-is-not-told', 'event.quote-received.sent')
    .summary('A quote in the last second of a request is kept, and nobody hears of it.')
    .outcomes('quote.submit', (_, { order, now }) => isLastSecond(order, now) && { events: [] }),
  mutation('acceptance-of-the-last-second-is-lost', 'order.state.legal-under-race')
    .summary('An acceptance in the last second of an order is answered with success and not done.')
    .outcomes('quote.accept', ({ reply }, { order, state, now }) => {
      return isLastSecond(order, now) && reply?.ok && { state, events: [], deadlines: [] };
    }),
  mutation('orders-of-yesterday-not-listed', 'order.list.complete')
    .summary('Lists of orders begin with those of today.')
    .listOrders(({ ownOrders, fits, now }) =>
      ownOrders.filter((order) => fits(order) && dayOf(order.createdAt) === dayOf(now)),
    ),
  mutation('requests-of-yesterday-not-listed', 'rfq.list.holds-new-request')
    .summary('Requests are listed on the day of their creation only.')
    .listRequests((order, { now }) => isPending(order) && dayOf(order.createdAt) === dayOf(now)),
  mutation('settlement-rests-at-midnight', 'order.state.executing-to-settled')
    .summary('A settlement that is under way when a day ends is never completed.')
    .unplanned('settlement-leg', ({ order, deadline, now }) => {
      return order && dayOf(deadline.at) !== dayOf(order.accepted?.acceptedAt ?? now);
    }),
  mutation('expiry-on-the-day-of-creation', 'order.expires-at.after-creation')
    .summary('expires_at has the date of creation with the time of its deadline.')
    .showOrders(({ createdAt, expiresAt }) => ({
      expiresAt: dayOf(createdAt) * dayMs + (expiresAt % dayMs),
    })),
  mutation('quotes-lapse-with-the-day', 'quote.state.pending-to-expired.not-early')
    .summary('A PENDING quote of yesterday is shown as EXPIRED, however long it is valid.')
    .when(isPending, (item, { now }) => dayOf(momentOf(item.submitted_at)) !== dayOf(now))
    .set(['order.quotes', 'rfq.quotes', 'quote.list'], { status: 'EXPIRED' }),
  mutation('tokens-end-with-the-day', 'auth.token-lasts-until-expiry')
    .summary('A token is refused once the day of its issue is over.')
    .bar(({ authorization, now }) => {
      const { exp } = part(authorization, 1) ?? {};
      return typeof exp === 'number' && dayOf(exp * 1_000 - 3_600_000) !== dayOf(now);
    }),
];
