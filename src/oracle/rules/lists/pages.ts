import { paginationIn } from '../../../protocol/pagination.ts';
import { textOf } from '../../../protocol/json.ts';
import { type Call, resultKindOf } from '../../trace/calls.ts';
import type { HistoryView } from '../../trace/history-view.ts';

/** One page of a list, as far as it can be read. */
export interface Page {
  readonly call: Call;
  readonly items: readonly unknown[];
  readonly page: number;
  readonly size: number;
  readonly total: number;
  readonly pages: number;
}

function pageOf(call: Call): Page | undefined {
  if (!call.ok || !call.own || resultKindOf(call) !== 'list' || !Array.isArray(call.data))
    return undefined;
  const shown = paginationIn(call.body);
  if (!shown) return undefined;
  const { page, page_size: size, total_items: total, total_pages: pages } = shown;
  return { call, items: call.data, page, size, total, pages };
}

/** True if a call asked for a page or a size that is no number, or for an empty status: the answer to that is open. */
function isNonsensePage(view: HistoryView, { exchange: { query } }: Call): boolean {
  const { answers } = view.context;
  const [page, size] = (['list.page_param', 'list.page_size_param'] as const).map(
    (gap) => query[answers(gap) ?? ''],
  );
  const isNone = size !== undefined && !/^0*[1-9][0-9]*$/.test(size);
  const isNowhere = page !== undefined && !/^[0-9]+$/.test(page);
  return isNone || isNowhere || query['status'] === '';
}

export const pagesOf = (view: HistoryView): Page[] =>
  view.calls.flatMap((call) => {
    const page = isNonsensePage(view, call) ? undefined : pageOf(call);
    return page ? [page] : [];
  });

/** Query parameters that usually ask for a page, and for its size, beside those that this target is known to use. */
const usualParams = {
  page: ['page', 'page_number', 'offset', 'cursor', 'skip'],
  size: ['page_size', 'per_page', 'limit', 'size'],
} as const;

const pageParams = ({ context }: HistoryView): readonly string[] => [
  ...usualParams.page,
  context.answers('list.page_param') ?? 'page',
];

const sizeParams = ({ context }: HistoryView): readonly string[] => [
  ...usualParams.size,
  context.answers('list.page_size_param') ?? 'page_size',
];

/** Tells if a call asked for a page of the whole list: for nothing but a page and its size. */
export function asksForAll(view: HistoryView): (call: Call) => boolean {
  const known = [...pageParams(view), ...sizeParams(view)];
  return ({ exchange }) => Object.keys(exchange.query).every((name) => known.includes(name));
}

/** Number of the first page, if the target is known to count or a list without a page was asked for. */
export function firstPage(view: HistoryView): number | undefined {
  const known = Number(view.context.answers('list.first_page') ?? Number.NaN);
  if (Number.isInteger(known)) return known;
  const params = pageParams(view);
  return view.once(pagesOf).find(({ call }) => !params.some((name) => name in call.exchange.query))
    ?.page;
}

/** Key of the list that a call asked for: its party, endpoint, order and filters. Any page of it has the same key. */
const listKey = ({ party, endpoint, exchange }: Call, without: readonly string[]): string =>
  JSON.stringify([
    party,
    endpoint,
    exchange.params.intent_id,
    Object.entries(exchange.query)
      .filter(([name]) => !without.includes(name))
      .map(([name, value]) => `${name}=${value}`)
      .toSorted(),
  ]);

/** Keys that distinguish lists. `oneSize` ignores the page; `anySize` also ignores the page size. */
export function listKeys(view: HistoryView): {
  readonly oneSize: (call: Call) => string;
  readonly anySize: (call: Call) => string;
} {
  const [pages, sizes] = [pageParams(view), sizeParams(view)];
  return {
    oneSize: (call) => listKey(call, pages),
    anySize: (call) => listKey(call, [...pages, ...sizes]),
  };
}

const listsOfQuotes: readonly unknown[] = ['order.quotes', 'rfq.quotes', 'quote.list'];

/** Id of an item of a list: of the quote on lists of quotes, else of the order. */
export const itemIdOf = ({ endpoint }: Call, item: unknown): string | undefined =>
  textOf(item, listsOfQuotes.includes(endpoint) ? 'quote_id' : 'intent_id');

export const statusAsked = (call: Call): string | undefined => call.exchange.query['status'];
