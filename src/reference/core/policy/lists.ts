import type { Assignment } from '../../../spec/gaps/index.ts';
import type { Pagination } from '../../../spec/resources.ts';
import type { CoreError } from '../errors.ts';

/** Requested part of a list. `page`: page number in the answer. */
export interface Page {
  readonly skip: number;
  readonly size: number;
  readonly page: number;
}

const usualSize = 20;

type Query = Readonly<Record<string, string>>;

/** Reads a whole number of the query, at most 15 digits: no list is longer. The fallback if the parameter is missing. */
function readNumber(query: Query, at: string, least: number, fallback: number): number | CoreError {
  const text = Object.hasOwn(query, at) ? query[at] : undefined;
  if (text === undefined) return fallback;
  if (/^[0-9]{1,15}$/.test(text) && Number(text) >= least) return Number(text);
  const detail = `${at} is "${text.slice(0, 40)}", expected a whole number from ${least}`;
  return { code: 'invalid_query', detail, at };
}

function pageReader(assignment: Assignment): (query: Query) => Page | CoreError {
  const pageParam = assignment['list.page_param'];
  const sizeParam = assignment['list.page_size_param'];
  const firstPage = Number(assignment['list.first_page']);
  const most = Number(assignment['list.max_page_size']);
  const isOffset = pageParam === 'offset';
  const least = isOffset ? 0 : firstPage;
  return (query) => {
    const asked = readNumber(query, sizeParam, 1, Math.min(usualSize, most));
    if (typeof asked !== 'number') return asked;
    if (asked > most && assignment['list.oversize'] === 'refuse') {
      const detail = `${sizeParam} is ${asked}, at most ${most} is possible`;
      return { code: 'invalid_query', detail, at: sizeParam };
    }
    const size = Math.min(asked, most);
    const value = readNumber(query, pageParam, least, least);
    if (typeof value !== 'number') return value;
    return isOffset
      ? { skip: value, size, page: Math.floor(value / size) + firstPage }
      : { skip: (value - firstPage) * size, size, page: value };
  };
}

/** Lists (2.1, 4.5). */
export function listPolicy(assignment: Assignment) {
  const emptyPages = Number(assignment['list.empty_total_pages']);
  return {
    read: pageReader(assignment),
    pagination: (page: Page, totalItems: number): Pagination => ({
      page: page.page,
      page_size: page.size,
      total_items: totalItems,
      total_pages: totalItems === 0 ? emptyPages : Math.ceil(totalItems / page.size),
    }),
    pastEnd: assignment['list.past_end'],
    direction: assignment['list.order'],
    unknownStatus: assignment['list.unknown_status'],
    /** True if lists of orders and of requests have a `currency` filter. */
    currencyFilter: assignment['list.other_filters'] === 'currency',
  };
}
