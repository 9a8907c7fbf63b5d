import { type Check, defineCheck, type CheckContext } from '../../../src/suite/engine/check.ts';
import {
  createOrder,
  retryWhileRefused,
  isRefusal,
  paginationOf,
  paramsOf,
  type PlacedOrder,
  quote,
  describeExchange,
  assertNoServerFault,
  settledOrder,
  succeeded,
} from '../../../src/suite/actions/index.ts';
import type { Exchange } from '../../../src/history/records.ts';
import { isOffsetParam } from '../../../src/spec/paging.ts';
import { each } from '../../shared/check-table.ts';
import { viewLagMs, waits } from '../../shared/waits.ts';
import type { Listing } from './list-walks.ts';

/** The page right after the last, and one beyond the end of any list that a run leaves behind. */
const beyond = [0, 1_000] as const;
const pageSize = 2;
const attempts = 3;
const pauseMs = 1_500;

/** How one list of a target is asked for pages. */
interface Paging {
  readonly page: string;
  readonly size: Readonly<Record<string, string>>;
}

interface Looks {
  readonly before: Exchange;
  readonly past: readonly Exchange[];
  readonly after: Exchange;
}

/** Looks past the end of a list, between two looks at its start. */
const look = (
  t: CheckContext,
  { by, endpoint, params = {}, query = {} }: Listing,
  { page, size }: Paging,
): Promise<Looks> =>
  t.exclusively(async () => {
    const ask = (more: Readonly<Record<string, string>> = {}) =>
      t.party(by).call(endpoint, { params, query: { ...query, ...size, ...more } });
    const before = await ask();
    const first = paginationOf(before);
    // Where items are counted, whole pages of them: an item amid the last page may be answered with that page. Pages
    // themselves may be counted from zero (gap `list.first_page`).
    const end = isOffsetParam(page)
      ? (first?.total_pages ?? 0) * (first?.page_size ?? 0)
      : (first?.page ?? 1) + (first?.total_pages ?? 0);
    const past: Exchange[] = [];
    for (const further of beyond) past.push(await ask({ [page]: `${end + further}` }));
    return { before, past, after: await ask() };
  });

/** @returns whether all pages past the end were refused, as they may be */
async function assertPastEnd(t: CheckContext, listing: Listing, paging: Paging): Promise<boolean> {
  const requirement = 'pagination.total-items.counts';
  const what = `${listing.endpoint} as seen by ${listing.by}`;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const { before, past, after } = await look(t, listing, paging);
    const [was, is] = [before, after].map((one) => paginationOf(one)?.total_items);
    for (const page of past) {
      assertNoServerFault(t, 'error.refusal-is-4xx', page, `a page of ${what} past its end`);
    }
    // A refusal counts nothing, so it is no matter whether the list stood still.
    if (past.every(isRefusal)) return true;
    if (was !== undefined && was > 0 && was === is) {
      for (const page of past.filter(succeeded)) {
        const shown = paginationOf(page)?.total_items;
        t.assert(requirement, shown === was, {
          message: `A page of ${what} past its end did not count its items: ${describeExchange(page)}.`,
          expected: was,
          actual: shown ?? null,
          seen: [before, page, after],
        });
      }
      return false;
    }
    await t.target.timeline.sleep(pauseMs);
  }
  t.inconclusive(requirement, `${what} was empty, unreadable or never still`);
  return false;
}

const ofSender = ({ intentId }: PlacedOrder): readonly Omit<Listing, 'by'>[] => [
  { endpoint: 'order.list' },
  { endpoint: 'order.list', query: { status: 'SETTLED' } },
  { endpoint: 'order.quotes', params: paramsOf({ intentId }) },
];

const ofMaker = ({ intentId }: PlacedOrder): readonly Omit<Listing, 'by'>[] => [
  { endpoint: 'quote.list' },
  { endpoint: 'quote.list', query: { status: 'ACCEPTED' } },
  { endpoint: 'settlement.list' },
  { endpoint: 'rfq.list' },
  { endpoint: 'rfq.quotes', params: paramsOf({ intentId }) },
];

const rows = [
  { by: 'sender', maker: 'maker_a', lists: ofSender },
  { by: 'sender_custodian', maker: 'maker_a', lists: ofSender },
  { by: 'maker_a', maker: 'maker_a', lists: ofMaker },
  { by: 'maker_b', maker: 'maker_b', lists: ofMaker },
  { by: 'maker_c', maker: 'maker_c', lists: ofMaker },
] as const;

/**
 * What answers a page past the end is open (gap `list.past_end`): one that comes counts the items of its list, as
 * `pagination.total_items` does wherever it stands (part 2.1).
 */
export const pastEndChecks: readonly Check[] = each(rows, ({ by, maker, lists }) =>
  defineCheck({
    id: `list.past-end.${by}`,
    title: `A page past the end of each list of ${by}, the next one or one far off, counts the items of the list, or is refused.`,
    requirements: ['pagination.total-items.counts', 'error.refusal-is-4xx'],
    needs: {
      parties: [...new Set(['sender', maker, by] as const)],
      waitMs: waits.settlement + viewLagMs,
    },
    async run(t) {
      const { answers, timeline } = t.target;
      const [page, size] = [answers.get('list.page_param'), answers.get('list.page_size_param')];
      if (page === undefined) return t.outOfScope('how to ask this target for a page is not known');
      const paging = { page, size: size === undefined ? {} : { [size]: `${pageSize}` } };
      await settledOrder(t, { maker });
      const order = await createOrder(t);
      await retryWhileRefused(t, () =>
        t.party(maker).call('rfq.read', { params: paramsOf(order) }),
      );
      await quote(t, maker, order);
      // A request that is closed, or that the maker has quoted, need not be listed (gap `rfq.active`).
      await createOrder(t);
      await timeline.sleep(viewLagMs);
      const areRefused: boolean[] = [];
      for (const list of lists(order)) {
        areRefused.push(await assertPastEnd(t, { by, ...list }, paging));
      }
      if (!areRefused.every(Boolean)) return undefined;
      return t.outOfScope('pages past the end are refused here (gap list.past_end)');
    },
  }),
);
