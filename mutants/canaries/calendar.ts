import type { Order } from '../../src/reference/core/index.ts';
import { orderOf } from '../../src/reference/core/index.ts';
import type { Json } from '../defects/values.ts';
import { mutation } from '../mutation.ts';
import { type Canary, canary } from './canary.ts';

const dayMs = 86_400_000;
const dayOf = (moment: number): number => Math.floor(moment / dayMs);
const yearOf = (moment: number): number => new Date(moment).getUTCFullYear();
const monthOf = (moment: number): number => new Date(moment).getUTCMonth();

/** Every text of a resource that is a moment on the leap day is one of the day after. */
const withoutLeapDay = (item: Json): Json =>
  Object.fromEntries(
    Object.entries(item).map(([name, value]) => [
      name,
      typeof value === 'string' ? value.replace(/^(\d{4})-02-29T/, '$1-03-01T') : value,
    ]),
  );

const isAcrossMidnight = ({ createdAt }: Order, now: number): boolean =>
  dayOf(createdAt) !== dayOf(now);

/** Defects that need a turn of the day, month or year while something else is under way. */
export const calendarCanaries: readonly Canary[] = [
  canary(
    mutation('settlement-over-midnight-a-day-late', 'order.state.executing-to-settled')
      .summary('An order accepted just before midnight UTC settles a day late.')
      .deadline((deadline, { state }) => {
        const order = orderOf(state, deadline.intentId);
        const since = order?.accepted?.acceptedAt ?? deadline.at;
        const isLate = deadline.kind === 'settlement-leg' && dayOf(since) !== dayOf(deadline.at);
        return isLate ? { ...deadline, at: deadline.at + dayMs } : deadline;
      }),
    'an acceptance within seconds of midnight UTC',
  ),
  canary(
    mutation('no-leap-day', 'order.created-at.at-creation')
      .summary('The moments of orders on 29 February are written as of 1 March.')
      .set(['order.read', 'order.list', 'order.create'], withoutLeapDay),
    'a leap day',
  ),
  canary(
    mutation('order-over-new-year-expires-in-the-old-year', 'order.expires-at.after-creation')
      .summary(
        'An order that is created in one year and expires in the next is shown to expire a year earlier.',
      )
      .showOrders(({ createdAt, expiresAt }) => {
        const isTurn = yearOf(createdAt) !== yearOf(expiresAt);
        return isTurn && { expiresAt: expiresAt - 365 * dayMs };
      }),
    'an order that lives over the turn of a year',
  ),
  canary(
    mutation('orders-of-last-month-not-counted-by-filters', 'order.list.status-filter.complete')
      .summary('Lists of orders that are filtered by a status begin with the month.')
      .listOrders(({ ownOrders, fits, now, query }) => {
        const isFiltered = query.status !== undefined;
        return (
          isFiltered &&
          ownOrders.filter((one) => fits(one) && monthOf(one.createdAt) === monthOf(now))
        );
      }),
    'an order that lives over the turn of a month',
    'a list with a status',
  ),
  canary(
    mutation('expiry-after-midnight-untold', 'event.order-updated.on-expired')
      .summary('Who created an order yesterday is not told that it expired today.')
      .unsent('order_updated', ({ order, status, now, toSender }) => {
        return order && toSender && status === 'EXPIRED' && isAcrossMidnight(order, now);
      }),
    'an order that expires after a midnight',
    'an open stream',
  ),
  canary(
    mutation('cancel-after-midnight-forgets-its-reason', 'order.failure-reason.user-cancelled')
      .summary('An order of yesterday that is cancelled today has no reason.')
      .storeOrder((order, before, { now }) => {
        const isEnd = order.failureReason === 'USER_CANCELLED' && before !== undefined;
        return isEnd && isAcrossMidnight(order, now) && { failureReason: undefined };
      }),
    'a cancel on the day after the creation',
  ),
];
