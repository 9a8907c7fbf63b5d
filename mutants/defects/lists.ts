import type { Order, Policy, Quote } from '../../src/reference/core/index.ts';
import { orderOf, ordersOf, quotesOf } from '../../src/reference/core/index.ts';
import type { EndpointName } from '../../src/spec/endpoints.ts';
import { envelopes } from './answers.ts';
import type { Answering, Make, Nothing, Where } from './context.ts';
import { viewsOf } from './reading.ts';

/** Defects in the items of lists. The pages are rebuilt, so only the choice of the items is wrong. */

/** Candidates for a list, newest first. */
export interface Choosing extends Answering {
  /** Orders of all parties. */
  readonly orders: readonly Order[];
  /** Orders of the caller, unfiltered. */
  readonly ownOrders: readonly Order[];
  readonly ownQuotes: readonly Quote[];
  /** True if the status filter of the request admits the item. */
  readonly fits: (one: { readonly status: string }) => boolean;
}

export function choosing(context: Answering): Choosing {
  const { state, query } = context;
  const own = context.party?.partyId;
  const orders = ordersOf(state).toReversed();
  const isOwn = (order: Order): boolean =>
    [order.senderPartyId, order.senderCustodianPartyId, order.receiverCustodianPartyId].includes(
      own,
    );
  return {
    ...context,
    orders,
    ownOrders: orders.filter(isOwn),
    get ownQuotes() {
      return orders
        .flatMap(({ id }) => quotesOf(state, id))
        .filter(({ makerPartyId }) => makerPartyId === own)
        .toSorted((one, other) => other.seq - one.seq);
    },
    fits: ({ status }) => query.status === undefined || query.status === status,
  };
}

type Choose<T> = (context: Choosing) => readonly T[] | Nothing;

/** Replaces the items of a list by other written items; an empty result leaves the list unchanged. */
export const lists = (where: Where, choose: Choose<unknown>): Make =>
  envelopes(where, (envelope, context) => {
    const { pagination } = envelope;
    const all = pagination && choose(choosing(context));
    if (!all) return envelope;
    const { page, page_size: size } = pagination;
    return {
      ...envelope,
      data: all.slice((page - 1) * size, page * size),
      pagination: {
        ...pagination,
        total_items: all.length,
        total_pages: Math.ceil(all.length / size),
      },
    };
  });

/** Lists with other items, each written by a view of the world. */
const listed = <T>(
  where: Where,
  choose: Choose<T>,
  view: (views: Policy['views']) => (one: T) => unknown,
): Make =>
  lists(where, (context) => {
    const chosen = choose(context);
    return chosen && chosen.map(view(viewsOf(context)));
  });

/** Other orders on the list of orders. */
export const listOrders = (choose: Choose<Order>): Make =>
  listed('order.list', choose, ({ order }) => order);

/** The orders of a caller on its list that fit the filter, without some. */
export const hideOrders = (
  hidden: (order: Order, context: Choosing) => unknown,
  when: (context: Choosing) => unknown = () => true,
): Make =>
  listOrders((all) => {
    if (!when(all)) return undefined;
    return all.ownOrders.filter((one) => all.fits(one) && !hidden(one, all));
  });

/** Other orders on the list of orders if it is filtered by this status. */
export const listOrdersFiltered = (status: string, choose: Choose<Order>): Make =>
  listOrders((context) => context.query.status === status && choose(context));

/** Lists the requests of the kept orders, open or not. */
export const listRequests = (keep: (order: Order, context: Choosing) => unknown): Make => {
  const choose: Choose<Order> = (all) => all.orders.filter((order) => keep(order, all));
  return listed('rfq.list', choose, ({ rfqItem }) => rfqItem);
};

/** The quotes of an order, as its side sees them. */
export const listQuotes = (choose: Choose<Quote>): Make =>
  listed(
    'order.quotes',
    (context) => (choose(context) || undefined)?.toReversed(),
    ({ quote }) => quote,
  );

/** Quotes as their maker sees them. */
export const listOwnQuotes = (where: EndpointName, choose: Choose<Quote>): Make =>
  listed(where, choose, ({ ownQuote }) => ownQuote);

/** The list of own quotes without some that belong there. */
export const hideOwnQuotes = (
  hidden: (quote: Quote, order: Order | undefined, context: Choosing) => unknown,
): Make =>
  listOwnQuotes('quote.list', (all) =>
    all.ownQuotes.filter(
      (quote) => all.fits(quote) && !hidden(quote, orderOf(all.state, quote.intentId), all),
    ),
  );
