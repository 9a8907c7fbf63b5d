import type { Exchange } from '../history/records.ts';
import type { Pagination } from '../spec/resources.ts';
import { itemsOf, succeeded } from './answers.ts';
import { isObject } from './json.ts';

const counts = ['page', 'page_size', 'total_items', 'total_pages'] as const;

/** `pagination` of a list's body; undefined where it is not as part 2.1 has it. */
export function paginationIn(body: unknown): Pagination | undefined {
  const found = isObject(body) ? body['pagination'] : undefined;
  if (!isObject(found) || !counts.every((name) => Number.isSafeInteger(found[name]))) return;
  return found as unknown as Pagination;
}

/** The same of a successful answer. */
export const paginationOf = (exchange: Exchange): Pagination | undefined =>
  succeeded(exchange) ? paginationIn(exchange.response?.body) : undefined;

/** Whether an answer is a whole list: all on one page, and nothing filtered out. */
export function isWholeList(exchange: Exchange): boolean {
  const total = paginationOf(exchange)?.total_items ?? 0;
  const unfiltered = exchange.query['status'] === undefined;
  return succeeded(exchange) && unfiltered && total <= itemsOf(exchange).length;
}
