import type { CheckContext } from '../../src/suite/engine/check.ts';
import {
  type Fields,
  matchesQuote,
  itemsOf,
  walkAllPages,
  pollUntil,
  type OrderRef,
  paginationOf,
  paramsOf,
  type PlacedQuote,
} from '../../src/suite/actions/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';

export interface ListedQuotes {
  readonly items: readonly Fields[];
  /** The first page of them. */
  readonly exchange: Exchange;
  /** True if these are all. False if the way to the pages after the first is unknown. */
  readonly whole: boolean;
}

/** Quotes of one call, and of further pages if they do not fit on the first. */
async function listed(
  t: CheckContext,
  by: CastName,
  endpoint: 'order.quotes' | 'rfq.quotes',
  order: OrderRef,
): Promise<ListedQuotes> {
  const [party, params] = [t.party(by), paramsOf(order)];
  const exchange = await party.call(endpoint, { params });
  const pages = paginationOf(exchange)?.total_pages ?? 1;
  if (pages <= 1) return { items: itemsOf(exchange), exchange, whole: true };
  const { items, ended } = await walkAllPages(t, party, endpoint, { params });
  return { items, exchange, whole: ended === 'whole' };
}

/** The quotes of an order as a party of its side lists them. */
export const quotesOf = (
  t: CheckContext,
  order: OrderRef,
  by: CastName = 'sender',
): Promise<ListedQuotes> => listed(t, by, 'order.quotes', order);

/** A maker's own quotes on one request. */
export const ownQuotesOf = (
  t: CheckContext,
  order: OrderRef,
  maker: CastName,
): Promise<ListedQuotes> => listed(t, maker, 'rfq.quotes', order);

export const findQuote = (
  items: readonly Fields[],
  placed: Pick<PlacedQuote, 'quoteId'>,
): Fields | undefined => items.find(matchesQuote(placed));

/** An order's quotes, after the taken ones have had time to be listed (gap `views.lag`). */
export const quotesOnceListed = (
  t: CheckContext,
  order: OrderRef,
  placed: readonly PlacedQuote[],
  by: CastName = 'sender',
): Promise<ListedQuotes> =>
  pollUntil(
    t,
    () => quotesOf(t, order, by),
    ({ items }) => placed.every((one) => findQuote(items, one) !== undefined),
  );
