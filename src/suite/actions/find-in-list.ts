import type { Party } from '../../client/contract.ts';
import type { Exchange } from '../../history/records.ts';
import { type Fields, isRefusal, itemsOf, succeeded } from '../../protocol/answers.ts';
import { paginationOf } from '../../protocol/pagination.ts';
import type { EndpointName } from '../../spec/endpoints.ts';
import { listOrderOf } from '../../spec/paging.ts';
import type { Pagination } from '../../spec/resources.ts';
import type { CheckContext } from '../engine/check.ts';
import { concurrentlyEach } from './context.ts';
import {
  largePage,
  type ListQuery,
  newEndOf,
  ownPages,
  type PageWalk,
  pager,
  readFirstPage,
  walkAllPages,
} from './page-walk.ts';

export interface FoundItem {
  readonly item: Fields | undefined;
  readonly pages: readonly Exchange[];
  /** End of the walk over the pages; `moving`: the list changed during each walk. */
  readonly ended: PageWalk['ended'] | 'moving';
}

/** Matches the item by which all of some items have been seen. Each walk needs its own. */
export function lastOf(items: readonly ((item: Fields) => boolean)[]): (item: Fields) => boolean {
  const left = new Set(items);
  return (item) => {
    for (const isIt of left) if (isIt(item)) left.delete(isIt);
    return left.size === 0;
  };
}

/** A longer list is searched from both ends before it is walked over, because items of this run are near the ends. */
const manyPages = 24;
/** Numbers of pages to read from each end, one batch at a time: in most runs a new item is nearest to an end. */
const fromEachEnd = [1, 2, 5] as const;

/** Searches for one item near the ends of a long list; undefined if the list is short, or the item elsewhere. */
async function searchEnds(
  t: CheckContext,
  party: Party,
  endpoint: EndpointName,
  match: (item: Fields) => boolean,
  list: ListQuery,
  shown: Pagination,
): Promise<FoundItem | undefined> {
  const size = typeof list.pageSize === 'number' ? list.pageSize : largePage(t);
  const count = Math.ceil(shown.total_items / size);
  if (count <= manyPages) return undefined;
  const pages = pager(t, { pageSize: size, ...list });
  const seen: Exchange[] = [];
  let step = 0;
  for (const together of fromEachEnd) {
    const queries: Readonly<Record<string, string>>[] = [];
    for (const last = step + together; step < last; step += 1) {
      for (const index of [count - 1 - step, step]) {
        const query = pages.next({ ...shown, page: shown.page + index - 1 }, index * size);
        if (!query) return undefined;
        queries.push(query);
      }
    }
    const found = await concurrentlyEach(t, queries, (query) =>
      party.call(endpoint, { params: list.params ?? {}, query }),
    );
    seen.push(...found);
    const item = found.flatMap(itemsOf).find(match);
    if (item) return { item, pages: seen, ended: 'found' };
    // If a page has another size than requested, the page numbers are not the ones computed here.
    if (found.some((exchange) => paginationOf(exchange)?.page_size !== size)) return undefined;
  }
  return undefined;
}

/**
 * Looks for one item: on the first page, on the last (lists come newest or oldest first), then on
 * all the others. An item that moves from page to page while others are created is looked for
 * again.
 */
export async function findInList(
  t: CheckContext,
  party: Party,
  endpoint: EndpointName,
  match: (item: Fields) => boolean,
  list: ListQuery = {},
): Promise<FoundItem> {
  const { params = {} } = list;
  const pageSize = largePage(t);
  const { first, pages } = await readFirstPage(t, party, endpoint, { pageSize, ...list });
  const onFirst = itemsOf(first).find(match);
  if (onFirst) return { item: onFirst, pages: [first], ended: 'found' };
  const shown = paginationOf(first);
  if (!shown) return { item: undefined, pages: [first], ended: 'refused' };
  if (shown.total_pages <= 1) return { item: undefined, pages: [first], ended: 'whole' };
  const toLast = pages.last(shown);
  const last = toLast && (await party.call(endpoint, { params, query: toLast }));
  const onLast = last && itemsOf(last).find(match);
  if (onLast) return { item: onLast, pages: [first, last], ended: 'found' };
  // In a list ordered by time the item is near the new end or nowhere, and the walk looks at that end.
  const isTimed = newEndOf(first, last) !== undefined && ownPages(t, endpoint, shown);
  const near = isTimed ? undefined : await searchEnds(t, party, endpoint, match, list, shown);
  if (near) return near;
  const begun = { first, pages, last };
  const whole = await walkAllPages(t, party, endpoint, { ...list, until: match, begun });
  const isSettled = whole.steady || whole.ended === 'found';
  return {
    item: whole.items.find(match),
    pages: whole.pages,
    ended: isSettled ? whole.ended : 'moving',
  };
}

/**
 * Pages that can hold a new item: the first page, and the last one unless the first shows that the newest come first.
 * At most two calls, to show that an item is absent from a list that may be long.
 */
export async function firstAndLastPage(
  t: CheckContext,
  party: Party,
  endpoint: EndpointName,
  list: ListQuery = {},
): Promise<Ends> {
  const found = await bothEnds(t, party, endpoint, list);
  const [first, last] = found.pages;
  const isGone = first && last && succeeded(first) && isRefusal(last);
  return isGone ? t.whileUnchanged(() => bothEnds(t, party, endpoint, list)) : found;
}

interface Ends {
  readonly items: readonly Fields[];
  readonly pages: readonly Exchange[];
}

async function bothEnds(t: CheckContext, party: Party, endpoint: EndpointName, list: ListQuery) {
  const { params = {} } = list;
  const { first, pages } = await readFirstPage(t, party, endpoint, {
    pageSize: largePage(t),
    ...list,
  });
  const shown = paginationOf(first);
  const next =
    shown && shown.total_pages > 1 && listOrderOf(itemsOf(first)) !== 'newest-first'
      ? pages.last(shown)
      : undefined;
  if (!next) return { items: itemsOf(first), pages: [first] };
  const last = await party.call(endpoint, { params, query: next });
  return { items: [...itemsOf(first), ...itemsOf(last)], pages: [first, last] };
}
