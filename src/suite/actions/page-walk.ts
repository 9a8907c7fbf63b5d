import type { Party } from '../../client/contract.ts';
import type { Exchange } from '../../history/records.ts';
import type { EndpointName, PathParams } from '../../spec/endpoints.ts';
import { cameAt, isOffsetParam } from '../../spec/paging.ts';
import type { Pagination } from '../../spec/resources.ts';
import type { CheckContext } from '../engine/check.ts';
import { type Fields, isRefusal, itemsOf } from '../../protocol/answers.ts';
import { paginationOf } from '../../protocol/pagination.ts';
import { concurrentlyEach } from './context.ts';

export interface ListQuery {
  readonly params?: PathParams;
  readonly query?: Readonly<Record<string, string>>;
  /** Requested if this target's parameter for it is known. `usual`: no size is requested, so the target chooses. */
  readonly pageSize?: number | 'usual';
  /** Stops after this number of pages, `too-long`; a thousand by default. */
  readonly mostPages?: number;
  /** Stops after the page with a matching item, `found`. */
  readonly until?: (item: Fields) => boolean;
  /** The walk goes on from pages that were read just before. */
  readonly begun?: BegunWalk;
}

interface BegunWalk {
  readonly first: Exchange;
  readonly pages: Pager;
  /** The last page, if it was read as well. */
  readonly last?: Exchange | undefined;
}

/** One walk over the pages of a list. */
export interface PageWalk {
  readonly items: readonly Fields[];
  readonly pages: readonly Exchange[];
  /**
   * `whole`: up to the last page. `own`: all pages that can hold items of this run, in a list that is long with older
   * items. Else only the first pages were seen: this target's parameter for another page is not known; a page was
   * refused or came back again; there were too many pages; or the item was found.
   */
  readonly ended:
    | 'whole'
    | 'own'
    | 'no-page-parameter'
    | 'refused'
    | 'repeated'
    | 'too-long'
    | 'found';
  /** True if `total_items` stayed the same from the first page to the last. */
  readonly steady: boolean;
}

const pagesAtMost = 1_000;
const usualPage = 100;
/** No target refuses a page for being larger than this. */
const smallPage = 2;
const tries = 3;
/** Pages of one walk that are read side by side: a few at first if the walk may end at any of them, else many. */
const pagesAtOnce = { searching: 4, walking: 16 } as const;

/** A page size that needs few calls, and that the target does not refuse as too large (gap `list.max_page_size`). */
export function largePage(t: CheckContext): number {
  const most = Number(t.target.answers.get('list.max_page_size') ?? Number.NaN);
  return Number.isInteger(most) && most > 0 ? Math.min(most, usualPage) : usualPage;
}

/** The operation that adds an item to a list of the items of many orders. */
const writes: Partial<Record<EndpointName, EndpointName>> = {
  'order.list': 'order.create',
  'rfq.list': 'order.create',
  'quote.list': 'quote.submit',
  'settlement.list': 'quote.accept',
};

/** Pages without items of this run are skipped only if the list has more of them than this. */
const fewOthers = 2;
/** Other clients may have added as many meanwhile. */
const pagesOfOthers = 1;

/** Number of pages of a long list that can hold items of this run; undefined: read the whole list. */
export function ownPages(
  t: CheckContext,
  endpoint: EndpointName,
  { page_size: size, total_pages: all }: Pagination,
): number | undefined {
  const write = writes[endpoint];
  if (write === undefined || size < 1 || all <= pagesOfOthers + fewOthers) return undefined;
  const { records } = t.target.history;
  const own = records.filter((one) => one.kind === 'exchange' && one.endpoint === write).length;
  const count = Math.ceil(own / size) + pagesOfOthers;
  return all > count + fewOthers ? count : undefined;
}

/** The end of a list with its newest items, from the items at both ends. */
export function newEndOf(
  first: Exchange,
  last: Exchange | undefined,
): 'first' | 'last' | undefined {
  const [begin, end] = [itemsOf(first)[0], last && itemsOf(last).at(-1)];
  const [from, to] = [begin && cameAt(begin), end && cameAt(end)];
  if (from === undefined || to === undefined || from === to) return undefined;
  return from > to ? 'first' : 'last';
}

interface Pager {
  /** The query for the page after the last one read and `items` items; undefined if no page parameter is known. */
  next(last: Pagination, items: number): Readonly<Record<string, string>> | undefined;
  /** The query for the last page, by what the first one shows. */
  last(shown: Pagination): Readonly<Record<string, string>> | undefined;
  /** The query for a page by its place, the first being 1; undefined if pages are not requested by number. */
  at(place: number, shown: Pagination): Readonly<Record<string, string>> | undefined;
  readonly first: Readonly<Record<string, string>>;
}

export function pager(t: CheckContext, { query = {}, pageSize }: ListQuery): Pager {
  const { answers } = t.target;
  const pageParam = answers.get('list.page_param');
  const sizeParam = answers.get('list.page_size_param');
  const sized =
    sizeParam === undefined || typeof pageSize !== 'number' ? {} : { [sizeParam]: `${pageSize}` };
  const first = { ...sized, ...query };
  const next: Pager['next'] = ({ page }, items) =>
    pageParam === undefined
      ? undefined
      : { ...first, [pageParam]: `${isOffsetParam(pageParam) ? items : page + 1}` };
  return {
    first,
    next,
    at: (place, shown) =>
      pageParam === undefined || isOffsetParam(pageParam)
        ? undefined
        : next({ ...shown, page: shown.page + place - 2 }, 0),
    last: ({ total_pages: count, ...shown }) =>
      next(
        { ...shown, total_pages: count, page: shown.page + count - 2 },
        shown.page_size * (count - 1),
      ),
  };
}

/** Refusals that are not about the page size: about the caller, the resource or the rate of requests. */
const otherRefusals = [401, 403, 404, 429];

/** The first page, and queries for the others. If the target refuses the requested size, pages have its own size. */
export async function readFirstPage(
  t: CheckContext,
  party: Party,
  endpoint: EndpointName,
  list: ListQuery,
): Promise<BegunWalk> {
  const { params = {}, pageSize } = list;
  const pages = pager(t, list);
  const first = await party.call(endpoint, { params, query: pages.first });
  const refusal = isRefusal(first) && !otherRefusals.includes(first.response?.status ?? 0);
  if (!refusal || typeof pageSize !== 'number' || pageSize <= smallPage) return { first, pages };
  const usual = pager(t, { ...list, pageSize: 'usual' });
  return { first: await party.call(endpoint, { params, query: usual.first }), pages: usual };
}

async function walk(t: CheckContext, party: Party, endpoint: EndpointName, list: ListQuery) {
  const { params = {}, mostPages = pagesAtMost, until, begun } = list;
  const seen: Exchange[] = [];
  const items: Fields[] = [];
  const totals = new Set<number>();
  const done = (ended: PageWalk['ended']): PageWalk => ({
    items,
    pages: seen,
    ended,
    steady: totals.size <= 1,
  });
  let before: Pagination | undefined;
  const { first, pages, ...read } = begun ?? (await readFirstPage(t, party, endpoint, list));
  const shown = paginationOf(first);
  const own = shown && ownPages(t, endpoint, shown);
  const toLast = own === undefined ? undefined : pages.last(shown as Pagination);
  const last = read.last ?? (toLast && (await party.call(endpoint, { params, query: toLast })));
  const newEnd = toLast && newEndOf(first, last);
  if (shown && own !== undefined && newEnd === 'last') {
    const count = Math.min(own, mostPages);
    const found = await walkTail(party, endpoint, params, { pages, shown, last, until, count });
    if (found) return { ...found, pages: [first, ...found.pages] };
  }
  const mostOwn = newEnd === 'first' ? own : undefined;
  const isLast = (place: number): boolean => last !== undefined && place === shown?.total_pages;
  let ahead: Exchange[] = [];
  /** Reads the pages that are surely needed side by side: a slow target then takes only as long as for one. */
  const readAhead = async (): Promise<void> => {
    const atOnce = pagesAtOnce[until && seen.length === 1 ? 'searching' : 'walking'];
    const most = Math.min(
      shown?.total_pages ?? 0,
      mostPages,
      mostOwn ?? mostPages,
      seen.length + atOnce,
    );
    const queries = [];
    for (let place = seen.length + 1; shown && place <= most; place += 1) {
      const query = isLast(place) ? undefined : pages.at(place, shown);
      if (query) queries.push(query);
    }
    if (queries.length < 2) return;
    ahead = [
      ...(await concurrentlyEach(t, queries, (query) => party.call(endpoint, { params, query }))),
    ];
  };
  for (let exchange = first; ; ) {
    seen.push(exchange);
    const pagination = paginationOf(exchange);
    if (!pagination) return done('refused');
    if (before && pagination.page === before.page) return done('repeated');
    totals.add(pagination.total_items);
    const found = itemsOf(exchange);
    for (const item of found) items.push(item);
    if (until && found.some(until)) return done('found');
    const isWhole = items.length >= pagination.total_items && seen.length >= pagination.total_pages;
    if (found.length === 0 || isWhole) return done('whole');
    const query = pages.next(pagination, items.length);
    if (!query) return done('no-page-parameter');
    if (mostOwn !== undefined && seen.length >= mostOwn) return done('own');
    if (seen.length >= mostPages) return done('too-long');
    before = pagination;
    if (ahead.length === 0) await readAhead();
    const known = isLast(seen.length + 1) ? last : undefined;
    exchange = ahead.shift() ?? known ?? (await party.call(endpoint, { params, query }));
  }
}

interface Tail {
  readonly pages: Pager;
  readonly shown: Pagination;
  /** The last page, which was read before. */
  readonly last: Exchange | undefined;
  readonly count: number;
  readonly until: ListQuery['until'];
}

/** Walks over the last pages of a list; undefined if no page parameter is known. */
async function walkTail(
  party: Party,
  endpoint: EndpointName,
  params: PathParams,
  { pages, shown, last, count, until }: Tail,
): Promise<PageWalk | undefined> {
  const seen: Exchange[] = [];
  const items: Fields[] = [];
  const totals = new Set([shown.total_items]);
  const done = (ended: PageWalk['ended']): PageWalk => ({
    items,
    pages: seen,
    ended,
    steady: totals.size <= 1,
  });
  for (let index = shown.total_pages - count; index < shown.total_pages; index += 1) {
    const before = { ...shown, page: shown.page + index - 1 };
    const query = pages.next(before, index * shown.page_size);
    if (!query) return undefined;
    const known = index === shown.total_pages - 1 ? last : undefined;
    const exchange = known ?? (await party.call(endpoint, { params, query }));
    seen.push(exchange);
    const pagination = paginationOf(exchange);
    if (!pagination) return done('refused');
    totals.add(pagination.total_items);
    items.push(...itemsOf(exchange));
    if (until && itemsOf(exchange).some(until)) return done('found');
  }
  return done('own');
}

/**
 * Walks over all pages of a list, with this target's parameter names. In a long list, it walks over the pages that can
 * hold items of this run. If the list changed meanwhile, it walks again, while no other check changes anything; other
 * clients and deadlines may still change it, so look at `steady`.
 * A walk of 10,000 items costs a hundred calls: to find one item, use findInList.
 */
export async function walkAllPages(
  t: CheckContext,
  party: Party,
  endpoint: EndpointName,
  list: ListQuery = {},
): Promise<PageWalk> {
  const { begun, ...sized } = { pageSize: largePage(t), ...list };
  let found = await walk(t, party, endpoint, { ...sized, ...(begun && { begun }) });
  for (let again = 1; again < tries && hasChanged(found); again += 1) {
    found = await t.whileUnchanged(() => walk(t, party, endpoint, sized));
  }
  return found;
}

/** If the list became shorter, a page that no longer exists may be refused (gap `list.past_end`). */
const hasChanged = ({ steady, ended, pages }: PageWalk): boolean =>
  ended !== 'found' && (!steady || (ended === 'refused' && pages.length > 1));
