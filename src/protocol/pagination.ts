import type { Exchange } from '../history/records.ts';
import type { Pagination } from '../spec/resources.ts';
import { itemsOf, succeeded } from './answers.ts';
import { isObject } from './json.ts';

const counts = ['page', 'page_size', 'total_items', 'total_pages'] as const;

/** `pagination` of a list's body; undefined if it is not in the form of part 2.1. */
export function paginationIn(body: unknown): Pagination | undefined {
  const found = isObject(body) ? body['pagination'] : undefined;
  if (!isObject(found) || !counts.every((name) => Number.isSafeInteger(found[name]))) return;
  return found as unknown as Pagination;
}

/** `pagination` of a successful answer. */
export const paginationOf = (exchange: Exchange): Pagination | undefined =>
  succeeded(exchange) ? paginationIn(exchange.response?.body) : undefined;

/** True if the answer is a complete list: all items on one page, and no status filter. */
export function isWholeList(exchange: Exchange): boolean {
  const total = paginationOf(exchange)?.total_items ?? 0;
  const unfiltered = exchange.query['status'] === undefined;
  return succeeded(exchange) && unfiltered && total <= itemsOf(exchange).length;
}
