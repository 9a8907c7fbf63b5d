import type { Reply } from '../contract.ts';
import type { CoreError } from '../errors.ts';
import type { Row } from '../records.ts';
import { refuse, refused, shown } from '../refusal.ts';
import { every } from '../store/heap.ts';
import type { KeyList } from '../store/key-list.ts';
import type { Rows } from '../store/rows.ts';
import type { Request, Work } from '../work.ts';
import { currencyLabel } from '../world.ts';

/** One page of records that are listed under a key, as wire JSON. */
export function listReply<R extends Row>(
  work: Work,
  request: Request,
  keys: KeyList,
  rows: Rows<R>,
  view: (record: R) => object,
): Reply {
  const { lists } = work.policy;
  const page = lists.read(request.query);
  if ('code' in page) return refused(page);
  if (page.skip > 0 && page.skip >= keys.size && lists.pastEnd === 'refuse') {
    return refuse(
      'invalid_query',
      `the list has ${keys.size} items, and page ${page.page} is beyond`,
    );
  }
  const seqs =
    lists.direction === 'newest-first'
      ? keys.descending(page.skip, page.size)
      : keys.ascending(page.skip, page.size);
  const data = seqs.map((seq) => view(rows.at(seq)));
  return { ok: true, status: 200, data, pagination: lists.pagination(page, keys.size) };
}

/** A label under which nothing is listed. */
const nothing = 'nothing';

const given = (request: Request, name: string): string | undefined =>
  Object.hasOwn(request.query, name) ? request.query[name] : undefined;

/** The label of the list that a `status` filter asks for. */
export function statusLabel(
  work: Work,
  request: Request,
  states: readonly string[],
): string | CoreError {
  const status = given(request, 'status');
  if (status === undefined) return every;
  if (states.includes(status)) return status;
  const answers = {
    refuse: {
      code: 'invalid_query',
      detail: `status is ${shown(status)}, expected one of ${states.join(', ')}`,
      at: 'status',
    },
    empty: nothing,
    ignore: every,
  } as const;
  return answers[work.policy.lists.unknownStatus];
}

/** Narrows a label to a currency, where such a filter is offered and used. */
export function currencyFiltered(work: Work, request: Request, label: string): string {
  const currency = work.policy.lists.currencyFilter ? given(request, 'currency') : undefined;
  return currency === undefined ? label : currencyLabel(label, currency);
}
