import { orderOf, type Order } from '../src/reference/core/index.ts';
import type { EndpointName } from '../src/spec/endpoints.ts';
import type { Tamper } from '../src/reference/http/index.ts';
import type { Written } from './mutation.ts';

/** An endpoint that answers 404 for some orders, at some time of their lives. */
const gone =
  (where: EndpointName, isGone: (order: Order, now: number) => boolean) => (): Tamper => ({
    command(command, { state, now }) {
      if (command.type !== 'request' || command.endpoint !== where) return command;
      const order = orderOf(state, command.params.intent_id ?? '');
      return order && isGone(order, now) ? undefined : command;
    },
  });

const minuteMs = 60_000;

/** Mistakes that show late: in the last part of an order's life, and long after its end. */
export const lateHours: readonly Written[] = [
  {
    id: 'half-a-life-for-quotes',
    breaks: ['access.quote.submit.market-maker-allowed'],
    summary: 'A request is quoted in the first half of its life only.',
    tamper: gone(
      'quote.submit',
      ({ createdAt, expiresAt }, now) => now - createdAt > (expiresAt - createdAt) / 2,
    ),
  },
  {
    id: 'no-quotes-at-last',
    breaks: ['access.quote.submit.market-maker-allowed'],
    summary: 'A request that expires within ten seconds is not quoted any more.',
    tamper: gone('quote.submit', ({ expiresAt }, now) => expiresAt - now < 10_000),
  },
  {
    id: 'no-cancel-at-last',
    breaks: ['order.cancel.pending-with-quotes'],
    summary: 'A PENDING order that expires within ten seconds is not cancelled any more.',
    tamper: gone(
      'order.cancel',
      ({ status, expiresAt }, now) => status === 'PENDING' && expiresAt - now < 10_000,
    ),
  },
  {
    id: 'settled-order-unreadable-after-an-hour',
    breaks: ['order.read.returns-that-order', 'order.read.by-sender-custodian'],
    summary: 'An hour after it settled an order can be read no more.',
    tamper: gone(
      'order.read',
      ({ settled }, now) => settled !== undefined && now - settled.at > 60 * minuteMs,
    ),
  },
  {
    id: 'settlement-unreadable-after-an-hour',
    breaks: ['settlement.read.returns-that-settlement'],
    summary: 'An hour after it settled a settlement can be read no more, though it is listed.',
    tamper: gone(
      'settlement.read',
      ({ settled }, now) => settled !== undefined && now - settled.at > 60 * minuteMs,
    ),
  },
  {
    id: 'quotes-gone-after-half-an-hour',
    breaks: ['order.quotes.complete', 'order.quotes.by-sender-custodian'],
    summary: 'Half an hour after it settled an order has no quotes any more.',
    tamper: gone(
      'order.quotes',
      ({ settled }, now) => settled !== undefined && now - settled.at > 30 * minuteMs,
    ),
  },
];
