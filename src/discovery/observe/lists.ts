import { groupBy } from '../../history/group-by.ts';
import type { Exchange } from '../../history/records.ts';
import { type Fields, isDenied, itemsOf } from '../../protocol/answers.ts';
import { paginationOf } from '../../protocol/pagination.ts';
import { isOffsetParam, listOrderOf } from '../../spec/paging.ts';
import type { Pagination } from '../../spec/resources.ts';
import { orderStates, quoteStates } from '../../spec/vocabulary.ts';
import { follows, ownCallsTo, type Observations, observed } from './exchange-index.ts';

const listNames = [
  'order.list',
  'order.quotes',
  'rfq.list',
  'rfq.quotes',
  'quote.list',
  'settlement.list',
] as const;

type Lists = readonly Exchange[];
/** By endpoint, the pagination of a list request that has no query parameter but `status`. */
type PlainAnswers = ReadonlyMap<string | undefined, Pagination>;

const isPlain = ({ query }: Exchange): boolean =>
  Object.keys(query).every((name) => name === 'status');

function plainAnswers(lists: Lists): PlainAnswers {
  const found = new Map<string | undefined, Pagination>();
  for (const list of lists) {
    const pagination = paginationOf(list);
    if (pagination && isPlain(list) && !found.has(list.endpoint))
      found.set(list.endpoint, pagination);
  }
  return found;
}

/** Paging, order and filters of lists. */
export function* observeLists(exchanges: readonly Exchange[]): Observations {
  const lists = ownCallsTo(exchanges, ...listNames);
  const plain = plainAnswers(lists);
  const unfiltered = lists.filter(isUnfiltered);
  const wholes = groupBy(unfiltered, sameList);
  const params = lists.flatMap((list) => [...observeParameter(list, plain, wholes)]);
  const answersTo = (gap: string): readonly string[] =>
    params.flatMap((one) => (one.gap === gap ? one.answer : []));
  const sizeParams = [...new Set(answersTo('list.page_size_param'))];
  // A parameter for the page size may look like the page number by chance.
  const isSize = (name: string): boolean => sizeParams.includes(name);
  const pageParams = answersTo('list.page_param').filter((name) => !isSize(name));
  yield* params.filter(({ gap, answer }) => gap !== 'list.page_param' || !isSize(answer));
  const filled = groupBy(
    unfiltered.filter((list) => itemsOf(list).length > 0),
    sameKind,
  );
  for (const list of lists) {
    yield* observePlainList(list);
    yield* observeOversize(list, sizeParams);
    yield* observePastEnd(list, pageParams, plain);
    yield* observeUnknownStatus(list, filled);
  }
  yield* observeMaxPageSize(lists, sizeParams);
}

/** The largest page that was served, if a page of one item more was refused. */
function* observeMaxPageSize(lists: Lists, params: readonly string[]): Observations {
  const asked = lists.flatMap((exchange) => {
    const name = params.find((one) => exchange.query[one] !== undefined);
    const size = Number(exchange.query[name ?? '']);
    const alone = Object.keys(exchange.query).length === 1;
    return alone && size > 0 ? [{ exchange, size }] : [];
  });
  for (const { exchange, size } of asked.filter((one) => isDenied(one.exchange))) {
    const below = asked.find(
      (one) =>
        one.size === size - 1 &&
        one.exchange.endpoint === exchange.endpoint &&
        paginationOf(one.exchange)?.page_size === one.size,
    );
    const shown = below && [exchange, below.exchange];
    if (shown) yield observed('list.max_page_size', String(below.size), shown, exchange.endpoint);
  }
}

/** A whole number sent as one query parameter, no other parameter having the same value. */
function numbersSent({ query }: Exchange): readonly (readonly [name: string, value: number])[] {
  const entries = Object.entries(query);
  return entries.flatMap(([name, value]) => {
    const alone = entries.filter(([, other]) => other === value).length === 1;
    const isNumber = name !== 'status' && /^\d{1,9}$/.test(value) && alone;
    return isNumber ? [[name, Number(value)] as const] : [];
  });
}

/** The parameters that a list was seen to obey. */
function* observeParameter(exchange: Exchange, plain: PlainAnswers, wholes: ListsByKey) {
  const shown = paginationOf(exchange);
  const before = plain.get(exchange.endpoint);
  if (!shown || !before) return;
  for (const [name, value] of numbersSent(exchange)) {
    if (shown.page_size === value && before.page_size !== value) {
      yield observed('list.page_size_param', name, [exchange]);
      continue;
    }
    const turned = shown.page !== before.page;
    const asNumber = turned && shown.page === value;
    const asOffset = turned && shown.page === before.page + value / shown.page_size;
    // The items of a page show it as well, whatever page number the answer states.
    const skipped = isOffsetParam(name) ? value : (value - before.page) * shown.page_size;
    if (asNumber || (asOffset && isOffsetParam(name)) || showsFrom(skipped, exchange, wholes))
      yield observed('list.page_param', name, [exchange]);
  }
}

/** Lists by endpoint and party (and order). An index, because a run has thousands of them. */
type ListsByKey = ReadonlyMap<string, Lists>;
const sameKind = ({ endpoint, party }: Exchange): string => `${endpoint} ${party}`;
const sameList = (list: Exchange): string => `${sameKind(list)} ${list.params.intent_id}`;
const isUnfiltered = ({ query }: Exchange): boolean => Object.keys(query).length === 0;

/** True if a page shows the items that an earlier unfiltered list has after its first `skipped` items. */
function showsFrom(skipped: number, exchange: Exchange, wholes: ListsByKey): boolean {
  if (!Number.isInteger(skipped) || skipped <= 0) return false;
  const whole = wholes.get(sameList(exchange))?.find((one) => follows(exchange, one));
  const total = paginationOf(exchange)?.total_items;
  if (!whole || paginationOf(whole)?.total_items !== total) return false;
  const shown = itemsOf(exchange).map(idOf);
  const expected = itemsOf(whole)
    .slice(skipped, skipped + shown.length)
    .map(idOf);
  return (
    shown.length > 0 &&
    expected.length === shown.length &&
    expected.every((id, at) => id === shown[at])
  );
}

const idOf = (item: Fields): unknown => item['quote_id'] ?? item['intent_id'];

/** Lists that the register asks the order of. */
const orderedLists: readonly (string | undefined)[] = ['order.list', 'rfq.list', 'quote.list'];

function* observePlainList(exchange: Exchange): Observations {
  const shown = paginationOf(exchange);
  if (!shown) return;
  if (isPlain(exchange)) yield observed('list.first_page', String(shown.page), [exchange]);
  if (shown.total_items === 0)
    yield observed('list.empty_total_pages', String(shown.total_pages), [exchange]);
  // A list of two items is enough. If another list has another order, the gap gets more than one answer.
  const order = listOrderOf(itemsOf(exchange), 2);
  if (order !== undefined && orderedLists.includes(exchange.endpoint))
    yield observed('list.order', order, [exchange], exchange.endpoint);
}

/** Requests for at least this page size, or this page number, only test the limits. */
const [hugeSize, pagePastEnd] = [1_000, 900_000];
/** A number beyond 32 bits may be refused where every other one is taken. */
const mostAsked = 2 ** 31 - 1;

const numberAsked = ({ query }: Exchange, params: readonly string[], least: number) =>
  params.map((name) => Number(query[name])).find((value) => value >= least && value <= mostAsked);

function* observeOversize(exchange: Exchange, params: readonly string[]): Observations {
  const asked = numberAsked(exchange, params, hugeSize);
  const size = paginationOf(exchange)?.page_size;
  if (asked === undefined) return;
  if (isDenied(exchange)) yield observed('list.oversize', 'refuse', [exchange]);
  else if (size !== undefined && size !== asked) {
    yield observed('list.oversize', 'clamp', [exchange]);
    yield observed('list.max_page_size', String(size), [exchange], exchange.endpoint);
  }
}

function* observePastEnd(exchange: Exchange, params: readonly string[], plain: PlainAnswers) {
  if (numberAsked(exchange, params, pagePastEnd) === undefined) return;
  if (!plain.has(exchange.endpoint)) return;
  const answer = itemsOf(exchange).length === 0 ? 'empty' : 'the last page again';
  if (isDenied(exchange)) yield observed('list.past_end', 'refuse', [exchange]);
  else if (paginationOf(exchange)) yield observed('list.past_end', answer, [exchange]);
}

const states: ReadonlySet<string> = new Set(['', ...orderStates, ...quoteStates]);

function* observeUnknownStatus(exchange: Exchange, filled: ListsByKey): Observations {
  const { status } = exchange.query;
  if (status === undefined || states.has(status.toUpperCase())) return;
  const { endpoint } = exchange;
  if (isDenied(exchange)) yield observed('list.unknown_status', 'refuse', [exchange], endpoint);
  if (!paginationOf(exchange)) return;
  const hadItems = filled.get(sameKind(exchange))?.some((one) => follows(exchange, one));
  if (itemsOf(exchange).length > 0)
    yield observed('list.unknown_status', 'ignore', [exchange], endpoint);
  else if (hadItems) yield observed('list.unknown_status', 'empty', [exchange], endpoint);
}
