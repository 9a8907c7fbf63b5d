import type { Check, CheckContext } from '../../../src/suite/engine/check.ts';
import {
  createOrder,
  paginationOf,
  paramsOf,
  quote,
  retryWhileRefused,
  settledOrder,
  concurrently,
} from '../../../src/suite/actions/index.ts';
import { isOffsetParam } from '../../../src/spec/paging.ts';
import { needsOf, viewLagMs, waits } from '../../shared/waits.ts';
import type { Listing } from './list-walks.ts';

/** The page right after the last, and one beyond the end of any list that a run leaves behind. */
const beyond = [0, 1_000] as const;
const pageSize = '2';

/** Looks past the end of a list, between two looks at its start. */
const lookPastEnd = (
  t: CheckContext,
  { by, endpoint, params = {}, query = {} }: Listing,
  pageParam: string,
  size: Readonly<Record<string, string>>,
): Promise<void> =>
  t.whileUnchanged(async () => {
    const ask = (more: Readonly<Record<string, string>> = {}) =>
      t.party(by).call(endpoint, { params, query: { ...query, ...size, ...more } });
    const first = paginationOf(await ask());
    // An offset counts items. It is rounded up to whole pages, since an offset within the last page may be answered
    // with that page. Page numbers may start at zero (gap `list.first_page`).
    const end = isOffsetParam(pageParam)
      ? (first?.total_pages ?? 0) * (first?.page_size ?? 0)
      : (first?.page ?? 1) + (first?.total_pages ?? 0);
    const askBeyond = (further: number) => () => ask({ [pageParam]: `${end + further}` });
    await concurrently(t, beyond.map(askBeyond));
    await ask();
  });

const ofSender: readonly Omit<Listing, 'by'>[] = [
  { endpoint: 'order.list' },
  { endpoint: 'order.list', query: { status: 'SETTLED' } },
  { endpoint: 'order.quotes' },
];

const ofMaker: readonly Omit<Listing, 'by'>[] = [
  { endpoint: 'quote.list' },
  { endpoint: 'quote.list', query: { status: 'ACCEPTED' } },
  { endpoint: 'settlement.list' },
  { endpoint: 'rfq.list' },
  { endpoint: 'rfq.quotes' },
];

const rows = [
  { by: 'sender', maker: 'maker_a', lists: ofSender },
  { by: 'sender_custodian', maker: 'maker_a', lists: ofSender },
  { by: 'maker_a', maker: 'maker_a', lists: ofMaker },
  { by: 'maker_b', maker: 'maker_b', lists: ofMaker },
  { by: 'maker_c', maker: 'maker_c', lists: ofMaker },
] as const;

/**
 * 2.1: the answer to a page past the end is open (gap `list.past_end`). If it is a page, it counts the items of its
 * list.
 */
export const pastEndChecks = rows.map<Check>(({ by, maker, lists }) => ({
  id: `list.past-end.${by}`,
  title: `A page past the end of each list of ${by}, the next one or one far off, counts the items of the list, or is refused.`,
  requirements: ['pagination.total-items.counts', 'error.refusal-is-4xx'],
  needs: needsOf(waits.settlement + viewLagMs + 100, 'sender', maker, by),
  async run(t) {
    const { answers, timeline } = t.target;
    const [page, size] = [answers.get('list.page_param'), answers.get('list.page_size_param')];
    if (page === undefined) return t.outOfScope('how to ask this target for a page is not known');
    const sized = size === undefined ? {} : { [size]: pageSize };
    await settledOrder(t, { maker });
    const order = await createOrder(t);
    const params = paramsOf(order);
    await retryWhileRefused(t, () => t.party(maker).call('rfq.read', { params }));
    await quote(t, maker, order);
    // A request that is closed, or that the maker has quoted, need not be listed (gap `rfq.active`).
    await createOrder(t);
    await timeline.sleep(viewLagMs + 100);
    const look = (list: Omit<Listing, 'by'>) => () => {
      const isOfOrder = list.endpoint === 'order.quotes' || list.endpoint === 'rfq.quotes';
      return lookPastEnd(t, { by, ...list, ...(isOfOrder && { params }) }, page, sized);
    };
    await concurrently(t, lists.map(look));
  },
}));
