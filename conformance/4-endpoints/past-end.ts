import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  createOrder,
  insist,
  isRefusal,
  paginationOf,
  paramsOf,
  type PlacedOrder,
  quote,
  said,
  servedOrRefused,
  settledOrder,
  succeeded,
} from '../../src/conformance/moves/index.ts';
import type { Exchange } from '../../src/history/records.ts';
import { asksForItems } from '../../src/spec/paging.ts';
import { each, lagMs, waits } from '../3-states/words.ts';
import type { Listing } from './walks.ts';

/** Pages and items beyond the end of any list that a run leaves behind. */
const far = 1_000;
const pageSize = 2;
const attempts = 3;
const pauseMs = 1_500;

/** How one list of a target is asked for pages. */
interface Paging {
  readonly page: string;
  readonly size: Readonly<Record<string, string>>;
}

interface Past {
  readonly before: Exchange;
  readonly past: Exchange;
  readonly after: Exchange;
}

/** Looks far past the end of a list, between two looks at its start. */
const look = (
  trial: Trial,
  { by, endpoint, params = {}, query = {} }: Listing,
  { page, size }: Paging,
): Promise<Past> =>
  trial.quietly(async () => {
    const ask = (more: Readonly<Record<string, string>> = {}) =>
      trial.party(by).call(endpoint, { params, query: { ...query, ...size, ...more } });
    const before = await ask();
    const { total_items = 0, total_pages = 0 } = paginationOf(before) ?? {};
    const beyond = far + (asksForItems(page) ? total_items : total_pages);
    return { before, past: await ask({ [page]: `${beyond}` }), after: await ask() };
  });

/** @returns whether the page past the end was answered, and so could be judged */
async function judgePastEnd(trial: Trial, listing: Listing, paging: Paging): Promise<boolean> {
  const requirement = 'pagination.total-items.counts';
  const what = `${listing.endpoint} as seen by ${listing.by}`;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const { before, past, after } = await look(trial, listing, paging);
    const [was, shown, is] = [before, past, after].map((one) => paginationOf(one)?.total_items);
    servedOrRefused(trial, 'error.refusal-is-4xx', past, `a page of ${what} past its end`);
    if (!succeeded(past)) return !isRefusal(past);
    if (was !== undefined && was > 0 && was === is) {
      trial.judge(requirement, shown === was, {
        message: `A page of ${what} past its end did not count its items: ${said(past)}.`,
        expected: was,
        actual: shown ?? null,
        seen: [before, past, after],
      });
      return true;
    }
    await trial.target.timeline.sleep(pauseMs);
  }
  trial.undecided(requirement, `${what} was empty, unreadable or never still`);
  return true;
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
] as const;

/** What a page past the end holds is open (gap `list.past_end`), but it counts the items of its list as any other. */
export const pastEnds: readonly Check[] = each(rows, ({ by, maker, lists }) =>
  defineCheck({
    id: `list.past-end.${by}`,
    title: `A page far past the end of each list of ${by} counts the items of the list, or is refused.`,
    requirements: ['pagination.total-items.counts', 'error.refusal-is-4xx'],
    needs: {
      parties: [...new Set(['sender', maker, by] as const)],
      waitMs: waits.settlement + lagMs,
    },
    async run(trial) {
      const { answers, timeline } = trial.target;
      const [page, size] = [answers.get('list.page_param'), answers.get('list.page_size_param')];
      if (page === undefined)
        return trial.outOfScope('how to ask this target for a page is not known');
      const paging = { page, size: size === undefined ? {} : { [size]: `${pageSize}` } };
      await settledOrder(trial, { maker });
      // Open still, with a quote: requests that are closed need not be listed.
      const order = await createOrder(trial);
      await insist(trial, () => trial.party(maker).call('rfq.read', { params: paramsOf(order) }));
      await quote(trial, maker, order);
      await timeline.sleep(lagMs);
      let answered = false;
      for (const list of lists(order)) {
        answered = (await judgePastEnd(trial, { by, ...list }, paging)) || answered;
      }
      return answered ? undefined : trial.outOfScope('pages past the end are refused here');
    },
  }),
);
