import type { Order } from '../src/reference/core/index.ts';
import { isPending } from './defects/conditions.ts';
import type { Asking } from './defects/context.ts';
import { mutation, type Written } from './mutation.ts';

const lifeOf = ({ createdAt, expiresAt }: Order): number => expiresAt - createdAt;

const minutesSinceSettled = ({ order, now }: Asking): number =>
  order?.settled ? (now - order.settled.at) / 60_000 : 0;

/** Mistakes that show late: in the last part of an order's life, and long after its end. */
export const lateRequests: readonly Written[] = [
  mutation('half-a-life-for-quotes', 'access.quote.submit.market-maker-allowed')
    .summary('A request is quoted in the first half of its life only.')
    .ignored(
      'quote.submit',
      ({ order, now }) => order && now - order.createdAt > lifeOf(order) / 2,
    ),
  mutation('no-quotes-at-last', 'access.quote.submit.market-maker-allowed')
    .summary('A request that expires within ten seconds is not quoted any more.')
    .ignored('quote.submit', ({ order, now }) => order && order.expiresAt - now < 10_000),
  mutation('no-cancel-at-last', 'order.cancel.pending-with-quotes')
    .summary('A PENDING order that expires within ten seconds is not cancelled any more.')
    .ignored(
      'order.cancel',
      ({ order, now }) => order && isPending(order) && order.expiresAt - now < 10_000,
    ),
  mutation('settled-order-unreadable-after-an-hour', 'order.read.returns-that-order')
    .also('order.read.by-sender-custodian')
    .summary('An hour after it settled an order can be read no more.')
    .ignored('order.read', (context) => minutesSinceSettled(context) > 60),
  mutation('settlement-unreadable-after-an-hour', 'settlement.read.returns-that-settlement')
    .summary('An hour after it settled a settlement can be read no more, though it is listed.')
    .ignored('settlement.read', (context) => minutesSinceSettled(context) > 60),
  mutation('quotes-gone-after-half-an-hour', 'order.quotes.complete')
    .also('order.quotes.by-sender-custodian')
    .summary('Half an hour after it settled an order has no quotes any more.')
    .ignored('order.quotes', (context) => minutesSinceSettled(context) > 30),
];
