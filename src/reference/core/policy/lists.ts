import type { Assignment } from '../../../spec/gaps/index.ts';
import type { CoreError } from '../errors.ts';
import type { ListPolicy, Page } from './policy.ts';

const usualSize = 20;
const sizes = { '10': 10, '100': 100, '1000': 1000 } as const;
const firstPages = { '0': 0, '1': 1 } as const;

type Query = Readonly<Record<string, string>>;

/** Reads a whole number of a query. At most 15 digits: no list is longer. */
const wholeNumber = (text: string): number | undefined =>
  /^[0-9]{1,15}$/.test(text) ? Number(text) : undefined;

const badNumber = (at: string, text: string, least: number): CoreError => ({
  code: 'invalid_query',
  detail: `${at} is "${text.slice(0, 40)}", expected a whole number from ${least}`,
  at,
});

const given = (query: Query, name: string): string | undefined =>
  Object.hasOwn(query, name) ? query[name] : undefined;

/** Reads one number of the query. Returns the fallback if the parameter is missing. */
function readNumber(
  query: Query,
  name: string,
  least: number,
  fallback: number,
): number | CoreError {
  const text = given(query, name);
  if (text === undefined) return fallback;
  const value = wholeNumber(text);
  return value === undefined || value < least ? badNumber(name, text, least) : value;
}

type Position = (value: number, size: number, firstPage: number) => Page;
const byPage: Position = (value, size, firstPage) => ({
  skip: (value - firstPage) * size,
  size,
  page: value,
});
const byItem: Position = (value, size, firstPage) => ({
  skip: value,
  size,
  page: Math.floor(value / size) + firstPage,
});
const positions: Record<
  Assignment['list.page_param'],
  { readonly position: Position; readonly least: (firstPage: number) => number }
> = {
  page: { position: byPage, least: (firstPage) => firstPage },
  page_number: { position: byPage, least: (firstPage) => firstPage },
  offset: { position: byItem, least: () => 0 },
};

type Oversize = (size: number, most: number, at: string) => number | CoreError;
const oversized: Record<Assignment['list.oversize'], Oversize> = {
  clamp: (size, most) => Math.min(size, most),
  refuse: (size, most, at) =>
    size <= most
      ? size
      : { code: 'invalid_query', detail: `${at} is ${size}, at most ${most} is possible`, at },
};

function pageReader(assignment: Assignment): ListPolicy['read'] {
  const pageParam = assignment['list.page_param'];
  const sizeParam = assignment['list.page_size_param'];
  const firstPage = firstPages[assignment['list.first_page']];
  const most = sizes[assignment['list.max_page_size']];
  const { position, least } = positions[pageParam];
  const fit = oversized[assignment['list.oversize']];
  return (query) => {
    const asked = readNumber(query, sizeParam, 1, Math.min(usualSize, most));
    if (typeof asked !== 'number') return asked;
    const size = fit(asked, most, sizeParam);
    if (typeof size !== 'number') return size;
    const value = readNumber(query, pageParam, least(firstPage), least(firstPage));
    return typeof value === 'number' ? position(value, size, firstPage) : value;
  };
}

export function listPolicy(assignment: Assignment): ListPolicy {
  const emptyPages = Number(assignment['list.empty_total_pages']);
  return {
    read: pageReader(assignment),
    pagination: (page, totalItems) => ({
      page: page.page,
      page_size: page.size,
      total_items: totalItems,
      total_pages: totalItems === 0 ? emptyPages : Math.ceil(totalItems / page.size),
    }),
    pastEnd: assignment['list.past_end'],
    direction: assignment['list.order'],
    unknownStatus: assignment['list.unknown_status'],
    currencyFilter: assignment['list.other_filters'] === 'currency',
  };
}
