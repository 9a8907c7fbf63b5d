import type { CheckContext, Check } from '../../src/suite/engine/check.ts';
import { awaitStatus } from '../../src/suite/actions/await-state-or-event.ts';
import { type Fields, succeeded } from '../../src/protocol/answers.ts';
import {
  findInList,
  firstAndLastPage,
  type FoundItem,
  lastOf,
} from '../../src/suite/actions/find-in-list.ts';
import { type ListQuery, type PageWalk, walkAllPages } from '../../src/suite/actions/page-walk.ts';
import { paginationOf } from '../../src/protocol/pagination.ts';
import { type PlacedOrder, createOrder, paramsOf } from '../../src/suite/actions/orders.ts';
import { pollUntil, concurrently, concurrentlyEach } from '../../src/suite/actions/context.ts';
import { accept, quote, settledOrder } from '../../src/suite/actions/quotes.ts';
import type {
  CastName,
  GuardedEndpoint,
  RequirementId,
} from '../../src/spec/requirements/index.ts';
import { settlementTimeoutMs, rows, needsOf, viewLagMs, waits, makers } from '../shared/waits.ts';
import { terminalOrderStates, unsettledStates } from '../../src/spec/states.ts';
import { awaitUpdate, statusIsOneOf } from '../shared/order-states.ts';
import {
  acceptAndSettle,
  cancelOrder,
  lifeRequirementsOf,
  readAs,
  tryQuote,
} from '../shared/order-life.ts';
import { isOffsetParam } from '../../src/spec/paging.ts';

/** One list of one party. */
export interface Listing extends Pick<ListQuery, 'params' | 'query'> {
  readonly by: CastName;
  readonly endpoint: GuardedEndpoint;
}

/** A list of ten thousand is walked over as far as this: it costs a moment, and no flood. */
const pagesExamined = 6;

/** Walks over the pages of a list while no other check of this run calls. */
export const walkUnchanged = (
  t: CheckContext,
  { by, endpoint, params, query }: Listing,
  how: Pick<ListQuery, 'pageSize' | 'mostPages'> = {},
): Promise<PageWalk> =>
  t.whileUnchanged(() =>
    walkAllPages(t, t.party(by), endpoint, {
      ...(params && { params }),
      ...(query && { query }),
      mostPages: pagesExamined,
      ...how,
    }),
  );

/** Looks for items until all are there, or the list had its time to catch up (gap `views.lag`). */
export const pollList = (
  t: CheckContext,
  { by, endpoint, query }: Listing,
  ...items: readonly ((item: Fields) => boolean)[]
): Promise<FoundItem> =>
  pollUntil(
    t,
    () => findInList(t, t.party(by), endpoint, lastOf(items), query ? { query } : {}),
    ({ item }) => item !== undefined,
  );

export const totalItemsOf = ({ pages }: PageWalk): number =>
  (pages[0] && paginationOf(pages[0])?.total_items) ?? 0;

/** Waits until each of some orders has ended, or long enough for it. */
export async function awaitOrderEnds(t: CheckContext, orders: readonly PlacedOrder[]) {
  for (const order of orders) {
    if (!(await awaitUpdate(t, order.by, order, terminalOrderStates, settlementTimeoutMs)))
      await awaitStatus(t, order, terminalOrderStates, 0, order.by);
  }
}

/** Time after which most activity of a run's start has ended, so that lists stay unchanged. */
const listsSettledMs = 20_000;
/** Time after which the other checks of a whole run have left items in every usual state. */
const listsFilledMs = 10_000;

/** More than two pages of one item. */
const enoughItems = 3;

/**
 * Waits until a list has items in each of some groups of states, and lies still: by other checks of
 * the run, or else by new ones.
 */
export async function fillList(
  t: CheckContext,
  { by, endpoint }: Listing,
  groups: readonly (readonly string[])[],
  create: () => Promise<unknown>,
): Promise<void> {
  const { timeline } = t.target;
  await timeline.sleep(listsFilledMs);
  const { items } = await firstAndLastPage(t, t.party(by), endpoint);
  const isFilled = groups.every(
    (states) => items.filter((item) => statusIsOneOf(states, item)).length >= enoughItems,
  );
  const since = timeline.now();
  if (!isFilled) await create();
  await timeline.until(since + (isFilled ? listsSettledMs - listsFilledMs : listsSettledMs));
}

const pageRequirements = [
  'list.pages-disjoint',
  'list.pages-complete',
  'pagination.total-items.counts',
] as const satisfies readonly RequirementId[];

/** Pages of a list's beginning that are read, of a few items each or of the target's own size. */
const aFewPages = 3;
const fewSizes = [2, 3, 5];
const attempts = 3;
const pauseMs = 1_500;

/** The largest page that is asked for here, as far as the target allows. */
function largestOf(t: CheckContext): number {
  const most = Number(t.target.answers.get('list.max_page_size') ?? 100);
  return Number.isInteger(most) && most > 0 ? Math.min(most, 100) : 100;
}

/**
 * Walks over a list in pages of several sizes while no other check of this run calls; again if it changed meanwhile.
 */
async function walkInSizes(t: CheckContext, listing: Listing, isUsual = true): Promise<void> {
  const few = Math.min(largestOf(t), t.random.pick(fewSizes));
  const begin = (pageSize: number | 'usual', mostPages = aFewPages) =>
    walkUnchanged(t, listing, { pageSize, mostPages });
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const isSteady = await t.whileUnchanged(async () => {
      const first = await begin(few);
      const total = totalItemsOf(first);
      // Page size with which the whole list fills four pages.
      const quarter = Math.min(largestOf(t), Math.max(1, Math.ceil(total / 4)));
      const others = await concurrently(t, [
        () => walkUnchanged(t, listing, { pageSize: quarter }),
        () => begin(1),
        ...(isUsual ? [() => begin('usual', listing.query ? 2 : aFewPages)] : []),
      ]);
      return [first, ...others, await begin(few, 1)].every(
        (walk) => walk.steady && totalItemsOf(walk) === total,
      );
    });
    if (isSteady) return;
    await t.target.timeline.sleep(pauseMs);
  }
}

/** Side by side, each of them and each of them under a filter; of those one in pages of the usual size, too. */
async function walkAll(t: CheckContext, lists: readonly Listing[]): Promise<void> {
  const filtered = lists.findLast(({ query }) => query);
  await concurrentlyEach(t, lists, (list) =>
    walkInSizes(t, list, !list.query || list === filtered),
  );
}

/** A list whole, and filtered by each of some states. */
const andFiltered = (list: Listing, statuses: readonly string[]): readonly Listing[] => [
  list,
  ...statuses.map((status) => ({ ...list, query: { status } })),
];

/** Orders of one party in several states, so that each of its lists has more than two pages of one. */
async function variedOrders(t: CheckContext, by: 'sender' | 'outsider'): Promise<void> {
  const settling: PlacedOrder[] = [];
  for (const end of ['', '', '', 'cancelled', 'settled', 'settled', 'settled', 'cancelled']) {
    const order = await createOrder(t, {}, { by });
    if (end === 'cancelled') await cancelOrder(t, order, by);
    if (end === 'settled') {
      await accept(t, order, await quote(t, 'maker_a', order));
      settling.push(order);
    }
  }
  await awaitOrderEnds(t, settling);
}

/** Three quotes that win and settle, two that lose, and two that are left open. */
async function variedQuotes(t: CheckContext, maker: CastName, rival: CastName): Promise<void> {
  const settling: PlacedOrder[] = [];
  for (const end of ['won', 'won', 'won', 'lost', 'lost', 'open', 'open']) {
    const order = await createOrder(t);
    const mine = await quote(t, maker, order);
    if (end === 'open') continue;
    await accept(t, order, end === 'won' ? mine : await quote(t, rival, order));
    settling.push(order);
  }
  await awaitOrderEnds(t, settling);
}

const orderLists = rows(
  { by: 'sender', creator: 'sender', statuses: ['PENDING', 'SETTLED', 'EXPIRED', 'FAILED'] },
  { by: 'outsider', creator: 'outsider', statuses: ['PENDING', 'SETTLED'] },
  { by: 'sender_custodian', creator: 'sender', statuses: ['PENDING', 'SETTLED', 'FAILED'] },
  { by: 'receiver_custodian', creator: 'sender', statuses: ['SETTLED'] },
).map<Check>(({ by, creator, statuses }) => ({
  id: `list.pages.orders.${by}`,
  title: `The orders of ${by}, all and by status, are each on one page, whatever the size of a page.`,
  requirements: pageRequirements,
  needs: needsOf(2 * listsSettledMs, by, creator, 'maker_a'),
  async run(t) {
    const groups = [['PENDING'], ['SETTLED'], unsettledStates];
    const own = { by: creator, endpoint: 'order.list' } as const;
    await fillList(t, own, groups, () => variedOrders(t, creator));
    await walkAll(t, andFiltered({ by, endpoint: 'order.list' }, statuses));
  },
}));

const makerLists = rows(
  { maker: 'maker_a', rival: 'maker_b', statuses: ['PENDING', 'ACCEPTED', 'REJECTED'] },
  { maker: 'maker_b', rival: 'maker_c', statuses: ['ACCEPTED'] },
  { maker: 'maker_c', rival: 'maker_a', statuses: ['REJECTED'] },
).map<Check>(({ maker, rival, statuses }) => ({
  id: `list.pages.${maker}`,
  title: `The quotes of ${maker}, all and by status, its settlements and the requests are each on one page.`,
  requirements: [...pageRequirements, 'maker.lists-have-pages'],
  needs: { parties: ['sender', maker, rival], waitMs: 2 * listsSettledMs },
  async run(t) {
    const groups = [['PENDING'], ['ACCEPTED'], ['REJECTED']];
    const own = { by: maker, endpoint: 'quote.list' } as const;
    await fillList(t, own, groups, () => variedQuotes(t, maker, rival));
    await walkAll(t, [
      ...andFiltered({ by: maker, endpoint: 'quote.list' }, statuses),
      { by: maker, endpoint: 'settlement.list' },
      // Requests are open to all makers: one of them walks over their pages.
      ...(maker === 'maker_a' ? [{ by: maker, endpoint: 'rfq.list' } as const] : []),
    ]);
  },
}));

/** Neither the lowest nor the highest price comes first: a page that is sorted by price shows. */
const rates = ['1', '1.0125', '0.9875'] as const;
const rateOf = (index: number): { readonly rate: string } => ({
  rate: rates[index % rates.length] ?? '1',
});

/** More than a page of the usual sizes holds, and how many of them may be refused until no more are tried. */
const manyQuotes = 27;
const mostRefused = 3;

/**
 * 2.1: the pages of an order's quotes contain each quote once: of several makers, and several of one maker if
 * admissible.
 */
const quoteLists: Check = {
  id: 'list.pages.quotes-of-one-order',
  title:
    'The quotes of one order, two dozen and more where so many are taken, are each on one page, for its sender, its custodian and a maker; the oldest is accepted, and settles.',
  requirements: [...pageRequirements, ...lifeRequirementsOf('sender_custodian')],
  needs: needsOf(
    listsSettledMs + waits.settlement,
    'sender',
    'sender_custodian',
    'maker_a',
    'maker_b',
    'maker_c',
  ),
  async run(t) {
    const order = await createOrder(t);
    const params = paramsOf(order);
    const oldest = await quote(t, 'maker_a', order, rateOf(0));
    await quote(t, 'maker_b', order, rateOf(1));
    await quote(t, 'maker_c', order, rateOf(2));
    let refused = 0;
    for (let n = makers.length; n < manyQuotes && refused < mostRefused; n += 1) {
      // A maker may have only one quote here (gap `quote.twice`): some of these may be refused.
      if (!succeeded(await tryQuote(t, 'maker_b', order, rateOf(n)))) refused += 1;
    }
    await t.target.timeline.sleep(3_000);
    await walkAll(t, [
      { by: 'sender', endpoint: 'order.quotes', params },
      { by: 'sender_custodian', endpoint: 'order.quotes', params },
      { by: 'maker_b', endpoint: 'rfq.quotes', params },
    ]);
    await acceptAndSettle(t, { order, quote: oldest, acceptedBy: 'sender_custodian' });
  },
};

export const pageChecks: readonly Check[] = [...orderLists, ...makerLists, quoteLists];

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
    await concurrentlyEach(t, beyond, (further) => ask({ [pageParam]: `${end + further}` }));
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

const listsByParty = [
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
export const pastEndChecks = listsByParty.map<Check>(({ by, maker, lists }) => ({
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
    await readAs(t, maker, 'rfq.read', order);
    await quote(t, maker, order);
    // A request that is closed, or that the maker has quoted, need not be listed (gap `rfq.active`).
    await createOrder(t);
    await timeline.sleep(viewLagMs + 100);
    await concurrentlyEach(t, lists, (list: Omit<Listing, 'by'>) => {
      const isOfOrder = list.endpoint === 'order.quotes' || list.endpoint === 'rfq.quotes';
      return lookPastEnd(t, { by, ...list, ...(isOfOrder && { params }) }, page, sized);
    });
  },
}));
