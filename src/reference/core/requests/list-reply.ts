import type { Reply } from '../contract.ts';
import type { Page } from '../policy/lists.ts';
import type { Row } from '../records.ts';
import { refuse, shown } from '../errors.ts';
import { every } from '../store/tables.ts';
import type { SortedKeys } from '../store/sorted-keys.ts';
import type { Rows } from '../store/rows.ts';
import type { Request, UnitOfWork } from '../unit-of-work.ts';
import { currencyLabel } from '../world-setup.ts';
import type { ReadResult } from './handler.ts';

export interface ListQuery {
  readonly page: Page;
  /** Label of the list to read. */
  readonly label: string;
}

/** A label under which nothing is listed. */
const nothing = 'nothing';

const given = (request: Request, name: string): string | undefined =>
  Object.hasOwn(request.query, name) ? request.query[name] : undefined;

function readStatus(
  work: UnitOfWork,
  request: Request,
  states: readonly string[],
): ReadResult<string> {
  const status = given(request, 'status');
  if (status === undefined) return { ok: true, input: every };
  if (states.includes(status)) return { ok: true, input: status };
  const detail = `status is ${shown(status)}, expected one of ${states.join(', ')}`;
  const answers = {
    refuse: refuse('invalid_query', detail, 'status'),
    empty: { ok: true, input: nothing },
    ignore: { ok: true, input: every },
  } as const;
  return answers[work.policy.lists.unknownStatus];
}

/** Narrows a label to a currency, if the filter is offered and used. */
function narrowed(work: UnitOfWork, request: Request, label: string): string {
  const currency = work.policy.lists.currencyFilter ? given(request, 'currency') : undefined;
  return currency === undefined ? label : currencyLabel(label, currency);
}

const readPage = (work: UnitOfWork, request: Request, label: string): ReadResult<ListQuery> => {
  const page = work.policy.lists.read(request.query);
  return 'code' in page ? { ok: false, error: page } : { ok: true, input: { page, label } };
};

/** Reads the query of a list without filters. */
export const pageOnly = (work: UnitOfWork, request: Request): ReadResult<ListQuery> =>
  readPage(work, request, every);

/** Reads the query of a list that can be filtered by state (4.2 to 4.4). */
export const byStatus =
  (states: readonly string[]) =>
  (work: UnitOfWork, request: Request): ReadResult<ListQuery> => {
    const label = readStatus(work, request, states);
    return label.ok ? readPage(work, request, label.input) : label;
  };

/** Adds the currency filter to a reader, for lists of orders and of requests: their items have currencies. */
export const withCurrency =
  (read: typeof pageOnly) =>
  (work: UnitOfWork, request: Request): ReadResult<ListQuery> => {
    const found = read(work, request);
    if (!found.ok) return found;
    const { page, label } = found.input;
    return { ok: true, input: { page, label: narrowed(work, request, label) } };
  };

/** One page of records that are listed under a key, as wire JSON. */
export function listReply<R extends Row>(
  work: UnitOfWork,
  page: Page,
  keys: SortedKeys,
  rows: Rows<R>,
  view: (record: R) => object,
): Reply {
  const { lists } = work.policy;
  if (page.skip > 0 && page.skip >= keys.size && lists.pastEnd === 'refuse') {
    const detail = `the list has ${keys.size} items, and page ${page.page} is beyond`;
    return refuse('invalid_query', detail);
  }
  const seqs =
    lists.direction === 'newest-first'
      ? keys.descending(page.skip, page.size)
      : keys.ascending(page.skip, page.size);
  const data = seqs.map((seq) => view(rows.at(seq)));
  return { ok: true, status: 200, data, pagination: lists.pagination(page, keys.size) };
}
