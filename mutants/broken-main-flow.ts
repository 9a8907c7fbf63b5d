import { orderOf, ordersOf, quotesOf } from '../src/reference/core/index.ts';
import type { Tamper } from '../src/reference/http/index.ts';
import type { Written } from './mutation.ts';
import { bentOrders, type Request, requests, rules, senderOf } from './tools.ts';

/** Keeps some requests from the core: they get 404. */
const kept = (from: (request: Request, quotes: number) => boolean) => (): Tamper => ({
  command(command, { state }) {
    if (command.type !== 'request') return command;
    const id = command.params.intent_id;
    const quotes = id === undefined ? 0 : quotesOf(state, id).length;
    return from(command, quotes) ? undefined : command;
  },
});

/** Mistakes in what every flow goes through (3.1, 4.2 and 4.3). */
export const plainWrongs: readonly Written[] = [
  {
    id: 'unknown-order-shows-other-quotes',
    breaks: ['order.quotes.unknown-refused'],
    summary: 'The quotes of an order that does not exist are those of the last one that does.',
    tamper: requests('order.quotes', (request, { state }) => {
      const known = orderOf(state, request.params.intent_id ?? '');
      const last = ordersOf(state).findLast(({ id }) => quotesOf(state, id).length > 0);
      return known || !last
        ? undefined
        : { ...request, caller: senderOf(last), params: { intent_id: last.id } };
    }),
  },
  {
    id: 'quoted-orders-cannot-be-cancelled',
    breaks: ['order.cancel.pending-with-quotes'],
    summary: 'A pending order that has two quotes or more cannot be cancelled.',
    tamper: kept(({ endpoint }, quotes) => endpoint === 'order.cancel' && quotes >= 2),
  },
  {
    id: 'sender-custodian-kept-from-orders',
    breaks: ['order.read.by-sender-custodian'],
    summary: 'An order can be read by its sender and the custodian of its receiver only.',
    tamper: rules(({ access }) => ({
      access: { may: { ...access.may, 'order.read': ['sender', 'receiver-custodian'] } },
    })),
  },
  {
    id: 'execution-never-shown',
    breaks: ['order.state.quoted-to-executing'],
    summary: 'An order is shown as QUOTED until it has settled.',
    tamper: rules((policy) => ({
      views: bentOrders(policy, (order) =>
        order.status === 'EXECUTING' ? { ...order, status: 'QUOTED' } : order,
      ),
    })),
  },
];
