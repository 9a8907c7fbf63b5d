import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import { accept, quote, settledOrder } from '../../src/suite/actions/quotes.ts';
import {
  createOrder,
  type PlacedOrder,
  readOrder,
  untilExpired,
  cancel,
} from '../../src/suite/actions/orders.ts';
import { findInList } from '../../src/suite/actions/find-in-list.ts';
import { matchesOrder, matchesQuote } from '../../src/protocol/answers.ts';
import { concurrently, concurrentlyEach } from '../../src/suite/actions/context.ts';
import type {
  CastName,
  RequirementId,
  GuardedEndpoint,
} from '../../src/spec/requirements/index.ts';
import type { PageWalk } from '../../src/suite/actions/page-walk.ts';
import { type OrderState, orderStates, quoteStates } from '../../src/spec/vocabulary.ts';
import { cancelOrder, readAs } from '../shared/order-life.ts';
import { needsOf, expiryLagMs, viewLagMs, waits, rows, makers } from '../shared/waits.ts';
import { stateOf } from '../shared/order-states.ts';
import { terminalOrderStates } from '../../src/spec/states.ts';
import {
  awaitOrderEnds,
  fillList,
  type Listing,
  pollList,
  walkUnchanged,
  totalItemsOf,
} from './list-pages.ts';

const requirementsOf = (by: CastName): readonly RequirementId[] =>
  by === 'sender_custodian'
    ? ['order.list.custodian-status-filter', 'order.list.status-filter.totals']
    : [
        'order.list.status-filter',
        'order.list.status-filter.complete',
        'order.list.status-filter.totals',
      ];

/**
 * Walks over a list unfiltered, under each filter, and unfiltered again: the two outer walks show
 * the items whose state did not change. The result is the first walk, and those under the filters.
 */
const walkFiltered = (t: CheckContext, listing: Listing, states: readonly string[]) =>
  t.whileUnchanged(async () => {
    const whole = await walkUnchanged(t, listing);
    const filtered = await concurrentlyEach(t, states, (status) =>
      walkUnchanged(t, { ...listing, query: { status } }),
    );
    await walkUnchanged(t, listing);
    return { whole, filtered };
  });

/**
 * Looks for orders in a list and under the filters of the states that they are in, wherever in a
 * long list. Reads them before and after.
 */
async function findUnderFilters(
  t: CheckContext,
  by: CastName,
  orders: readonly PlacedOrder[],
  filters: readonly OrderState[],
): Promise<void> {
  const read = () => concurrentlyEach(t, orders, (order) => readOrder(t, order, order.by));
  const states = (await read()).map(({ data }) => stateOf(data));
  const listing = { by, endpoint: 'order.list' } as const;
  const { whole, filtered } = await walkFiltered(t, listing, filters);
  const missing = ({ items }: PageWalk, wanted: readonly PlacedOrder[]) =>
    wanted.map(matchesOrder).filter((isIt) => !items.some(isIt));
  const poll = async (query: Listing['query'], left: ReturnType<typeof missing>) => {
    if (left.length > 0) await pollList(t, { ...listing, ...(query && { query }) }, ...left);
  };
  await poll(undefined, missing(whole, orders));
  for (const [place, status] of filters.entries()) {
    const inState = orders.filter((_, one) => states[one] === status);
    const walk = filtered[place];
    if (walk) await poll({ status }, missing(walk, inState));
  }
  await read();
}

const orderFilters = rows(
  { by: 'sender', creator: 'sender' },
  { by: 'outsider', creator: 'outsider' },
  { by: 'sender_custodian', creator: 'sender' },
).map<Check>(({ by, creator }) => ({
  id: `order.list.filters.${by}`,
  title: `The orders of ${by} filtered by each state are those that the whole list shows in it.`,
  requirements: requirementsOf(by),
  needs: { parties: [by, creator, 'maker_a'], waitMs: 40_000 },
  async run(t) {
    const create = (): Promise<PlacedOrder> => createOrder(t, {}, { by: creator });
    const [open, cancelled, quoted] = [await create(), await create(), await create()];
    const settling = [await create(), await create()];
    for (const order of settling) await accept(t, order, await quote(t, 'maker_a', order));
    await cancelOrder(t, cancelled, creator);
    await quote(t, 'maker_a', quoted);
    await awaitOrderEnds(t, settling);
    await t.target.timeline.sleep(7_000);
    await findUnderFilters(t, by, [open, cancelled, ...settling], orderStates);
  },
}));

const expired = (['sender', 'sender_custodian'] as const).map<Check>((by) => ({
  id: `order.list.filters.expired.${by}`,
  title: `Orders of ${by} that have expired, quoted or not, are in the list of EXPIRED ones, and of no other state.`,
  requirements: requirementsOf(by),
  needs: needsOf(waits.orderExpiry + viewLagMs, 'sender', by, 'maker_c'),
  async run(t) {
    const orders = [await createOrder(t), await createOrder(t)] as const;
    for (const order of orders.slice(1)) await quote(t, 'maker_c', order);
    for (const order of orders) await untilExpired(t, order, expiryLagMs);
    const readAll = () => concurrentlyEach(t, orders, (order) => readOrder(t, order, by));
    await readAll();
    await t.target.timeline.sleep(viewLagMs + 100);
    await findUnderFilters(t, by, orders, ['EXPIRED', 'PENDING']);
    if (by !== 'sender') await readAll();
  },
}));

/**
 * 4.2, 4.3: filters by states that pass by themselves: an order QUOTED before and after a read was QUOTED during it.
 */
const passing = (['sender', 'sender_custodian'] as const).map<Check>((by) => ({
  id: `order.list.filters.passing.${by}`,
  title: `While an order of ${by} is QUOTED or EXECUTING it is in the list of that state, and in no other.`,
  requirements: requirementsOf(by),
  needs: { parties: ['sender', by, 'maker_b'], waitMs: 20_000 },
  async run(t) {
    const order = await createOrder(t);
    await accept(t, order, await quote(t, 'maker_b', order));
    await readAs(t, by, 'order.read', order);
    for (let look = 0; look < 5; look += 1) {
      const state = stateOf((await readOrder(t, order, by)).data);
      if (state === undefined || terminalOrderStates.some((end) => end === state)) return;
      await t.whileUnchanged(async () => {
        const find = () => findInList(t, t.party(by), 'order.list', matchesOrder(order));
        await find();
        await concurrentlyEach(t, ['QUOTED', 'EXECUTING'], (status) =>
          walkUnchanged(t, { by, endpoint: 'order.list', query: { status } }),
        );
        await find();
      });
      await t.target.timeline.sleep(700 * 2 ** look);
    }
  },
}));

const quoteFilters = rows(
  { maker: 'maker_a', rival: 'maker_b' },
  { maker: 'maker_c', rival: 'maker_a' },
).map<Check>(({ maker, rival }) => ({
  id: `quote.list.filters.${maker}`,
  title: `The quotes of ${maker} filtered by each state are those that the whole list shows in it.`,
  requirements: ['quote.list.status-filter', 'quote.list.status-filter.complete'],
  needs: { parties: ['sender', maker, rival], waitMs: 40_000 },
  async run(t) {
    const listing = { by: maker, endpoint: 'quote.list' } as const;
    await fillList(
      t,
      listing,
      quoteStates.map((state) => [state]),
      async () => {
        for (const outcome of ['won', 'won', 'lost', 'lost', 'open', 'lapsed']) {
          const order = await createOrder(t);
          const validity = outcome === 'lapsed' ? { validForMs: 4_000 } : {};
          const mine = await quote(t, maker, order, validity);
          if (outcome !== 'won' && outcome !== 'lost') continue;
          await accept(t, order, outcome === 'won' ? mine : await quote(t, rival, order));
        }
      },
    );
    await walkFiltered(t, listing, quoteStates);
    // A second time, since an item must have been in a state for a while before its filtered list is judged by it.
    await t.target.timeline.sleep(viewLagMs + 100);
    await walkFiltered(t, listing, quoteStates);
  },
}));

export const filterChecks: readonly Check[] = [
  ...orderFilters,
  ...expired,
  ...passing,
  ...quoteFilters,
];

/**
 * Lists are read once more when most of a run is over and its orders have ended in every way: the rules compare them
 * with everything that was seen of those orders.
 */

/** Long after most checks, and within the usual waits of a run on a system clock. */
const restMs = 80_000;
/** After most orders of those checks have expired, if orders live longer than `restMs`. */
const afterLifeMs = 60_000;
const mostPages = 12;

interface Look {
  readonly endpoint: GuardedEndpoint;
  /** Values of its status filter. */
  readonly statuses: readonly string[];
}

const orders: readonly Look[] = [
  { endpoint: 'order.list', statuses: ['SETTLED', 'EXPIRED', 'FAILED'] },
];
const ofMaker: readonly Look[] = [
  { endpoint: 'quote.list', statuses: ['ACCEPTED', 'REJECTED', 'EXPIRED'] },
  { endpoint: 'settlement.list', statuses: [] },
];

/** Maximum page size to ask for if pages are not bounded. */
const enough = 1_000;

/** Asks for more items than a page may hold, or than exist: the rules compare the items with their pagination. */
async function askForTooMany(t: CheckContext, { by, endpoint }: Listing, total: number) {
  const { answers } = t.target;
  const size = answers.get('list.page_size_param');
  if (size === undefined) return;
  const most = Number(answers.get('list.max_page_size') ?? total);
  const asked = Math.min(Number.isInteger(most) ? most : total, enough) + 50;
  await t.party(by).call(endpoint, { query: { [size]: `${asked}` } });
}

interface Row {
  readonly by: CastName;
  /** Maker that quotes the order that must be on the lists. */
  readonly maker: CastName;
  readonly looks: readonly Look[];
  readonly requirements: readonly RequirementId[];
}

const lateListings: readonly Row[] = [
  { by: 'sender', maker: 'maker_a', looks: orders, requirements: ['order.list.complete'] },
  {
    by: 'sender_custodian',
    maker: 'maker_a',
    looks: orders,
    requirements: ['order.list.sender-custodian-included'],
  },
  ...makers.map(
    (by): Row => ({
      by,
      maker: by,
      looks: ofMaker,
      requirements: ['quote.list.complete', 'settlement.list.holds-won'],
    }),
  ),
];

/** Waits until the run is mostly over and its orders have expired, unless that takes too long. */
async function untilLast(t: CheckContext, since: number, expiresAt: number | undefined) {
  const { timeline, clock } = t.target;
  const over = expiresAt === undefined ? 0 : expiresAt - clock.offset.least + afterLifeMs;
  const inReach = over - since <= clock.maxWaitMs;
  const instant = Math.max(since + restMs, inReach ? over : 0);
  t.allowWait(instant - timeline.now(), 'the rest of the run');
  await timeline.until(instant);
}

const lookAtLast = lateListings.map<Check>(({ by, maker, looks, requirements }) => ({
  id: `list.late-in-run.${by}`,
  title: `When most of a run is over, the lists of ${by} hold all that must be there, filtered or not.`,
  requirements: [...requirements, 'error.refusal-is-4xx'],
  needs: { parties: ['sender', maker, by], waitMs: restMs },
  async run(t) {
    const since = t.target.timeline.now();
    const { order, quote } = await settledOrder(t, { maker });
    await untilLast(t, since, order.expiresAt);
    for (const { endpoint, statuses } of looks) {
      const listing: Listing = { by, endpoint };
      const whole = await walkUnchanged(t, listing, { mostPages });
      await concurrentlyEach(t, statuses, (status) =>
        walkUnchanged(t, { ...listing, query: { status } }, { mostPages }),
      );
      await askForTooMany(t, listing, totalItemsOf(whole));
      const isIt = endpoint === 'quote.list' ? matchesQuote(quote) : matchesOrder(order);
      if (!whole.items.some(isIt)) await pollList(t, listing, isIt);
    }
  },
}));

/** Longer than any delay after which a backend would remove ended orders. */
const longAfterMs = 65 * 60_000;

/** Other reads that show an ended order, by party. */
const reads: Partial<Record<CastName, readonly (readonly [GuardedEndpoint, RequirementId])[]>> = {
  sender: [
    ['order.read', 'order.read.returns-that-order'],
    ['order.quotes', 'order.quotes.complete'],
  ],
  sender_custodian: [
    ['order.read', 'order.read.by-sender-custodian'],
    ['order.quotes', 'order.quotes.by-sender-custodian'],
  ],
  receiver_custodian: [['order.read', 'order.read.by-receiver-custodian']],
  maker_a: [['settlement.read', 'settlement.read.returns-that-settlement']],
};

/** Only a read: the list of a receiver's custodian is open (gap `access.receiver_lists`). */
const byReceiver: Row = { by: 'receiver_custodian', maker: 'maker_a', looks: [], requirements: [] };

/** 4.2, 4.3, 4.4: nothing falls off a list with time, or cannot be read any more. */
const lookLongAfter = [...lateListings, byReceiver]
  .filter(({ by }) => by in reads)
  .map<Check>(({ by, maker, looks, requirements }) => ({
    id: `list.long-after.${by}`,
    title: `What ended long ago is on the lists of ${by} still, and can be read.`,
    requirements: [...requirements, ...(reads[by] ?? []).map(([, requirement]) => requirement)],
    needs: { parties: ['sender', maker, by], waitMs: longAfterMs },
    async run(t) {
      const since = t.target.timeline.now();
      const { order, quote } = await settledOrder(t, { maker });
      const other = await createOrder(t);
      await cancel(t, other);
      // Read at once and again long after: an order that could be read must still be readable.
      for (const instant of [since, since + longAfterMs]) {
        await t.target.timeline.until(instant);
        const read = (endpoint: GuardedEndpoint, of: PlacedOrder) => () =>
          readAs(t, by, endpoint, of);
        const endpoints = (reads[by] ?? []).map(([endpoint]) => endpoint);
        await concurrently(t, [
          ...endpoints.map((endpoint) => read(endpoint, order)),
          ...(endpoints.includes('order.read') ? [read('order.read', other)] : []),
        ]);
        await concurrentlyEach(t, looks, ({ endpoint }) => {
          const isIt = endpoint === 'quote.list' ? matchesQuote(quote) : matchesOrder(order);
          const others = endpoint === 'order.list' ? [matchesOrder(other)] : [];
          return pollList(t, { by, endpoint }, isIt, ...others);
        });
      }
    },
  }));

export const lateListChecks: readonly Check[] = [...lookAtLast, ...lookLongAfter];
