import type { Check, CheckContext } from '../../../src/suite/engine/check.ts';
import {
  accept,
  createOrder,
  findInList,
  matchesOrder,
  paramsOf,
  type PlacedOrder,
  quote,
  readOrder,
  retryWhileRefused,
  concurrently,
  untilExpired,
} from '../../../src/suite/actions/index.ts';
import type { CastName, RequirementId } from '../../../src/spec/requirements/index.ts';
import { orderStates, quoteStates } from '../../../src/spec/vocabulary.ts';
import { cancelOrder } from '../../shared/order-calls.ts';
import { needsOf, expiryLagMs, viewLagMs, waits } from '../../shared/waits.ts';
import { stateOf } from '../../shared/order-fields.ts';
import { terminalOrderStates } from '../../../src/spec/states.ts';
import { awaitOrderEnds, type Listing, pollList, walkUnchanged } from './list-walks.ts';
import { rows } from '../../shared/check-table.ts';

const requirementsOf = (by: CastName): readonly RequirementId[] =>
  by === 'sender_custodian'
    ? ['order.list.custodian-status-filter', 'order.list.status-filter.totals']
    : [
        'order.list.status-filter',
        'order.list.status-filter.complete',
        'order.list.status-filter.totals',
      ];

/**
 * Walks over a list unfiltered, under each filter, and unfiltered again: the two outer walks show the items whose state
 * did not change.
 */
const walkFiltered = (t: CheckContext, listing: Listing, states: readonly string[]) =>
  t.whileUnchanged(async () => {
    await walkUnchanged(t, listing);
    const walk = (status: string) => () => walkUnchanged(t, { ...listing, query: { status } });
    await concurrently(t, states.map(walk));
    await walkUnchanged(t, listing);
  });

/** Looks for an order under the filter of the state that it is in, wherever in a long list. */
async function findUnderFilter(t: CheckContext, by: CastName, order: PlacedOrder): Promise<void> {
  const status = stateOf((await readOrder(t, order, order.by)).data);
  const listing = { by, endpoint: 'order.list' } as const;
  await pollList(t, listing, matchesOrder(order));
  if (status) await pollList(t, { ...listing, query: { status } }, matchesOrder(order));
  await readOrder(t, order, order.by);
}

/** 4.2, 4.3: the filter `status` leaves the orders in that state, all of them and no other. */
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
    const find = (order: PlacedOrder) => () => findUnderFilter(t, by, order);
    await concurrently(t, [open, cancelled, ...settling].map(find));
    await walkFiltered(t, { by, endpoint: 'order.list' }, orderStates);
  },
}));

/** 4.2, 4.3: and so for EXPIRED, which only waiting brings about. */
const expired = (['sender', 'sender_custodian'] as const).map<Check>((by) => ({
  id: `order.list.filters.expired.${by}`,
  title: `Orders of ${by} that have expired, quoted or not, are in the list of EXPIRED ones, and of no other state.`,
  requirements: requirementsOf(by),
  needs: needsOf(waits.orderExpiry + viewLagMs, 'sender', by, 'maker_c'),
  async run(t) {
    const orders = [await createOrder(t), await createOrder(t)] as const;
    for (const order of orders.slice(1)) await quote(t, 'maker_c', order);
    for (const order of orders) await untilExpired(t, order, expiryLagMs);
    const readAll = () =>
      concurrently(
        t,
        orders.map((order) => () => readOrder(t, order, by)),
      );
    await readAll();
    await t.target.timeline.sleep(viewLagMs + 100);
    // The pages on which one of them is found hold the other as well.
    await findUnderFilter(t, by, orders[0]);
    await readAll();
    await walkFiltered(t, { by, endpoint: 'order.list' }, ['EXPIRED', 'PENDING']);
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
    await retryWhileRefused(t, () => t.party(by).call('order.read', { params: paramsOf(order) }));
    for (let look = 0; look < 12; look += 1) {
      const state = stateOf((await readOrder(t, order, by)).data);
      if (state === undefined || terminalOrderStates.some((end) => end === state)) return;
      await t.whileUnchanged(async () => {
        const find = () => findInList(t, t.party(by), 'order.list', matchesOrder(order));
        await find();
        const walk = (status: string) => () =>
          walkUnchanged(t, { by, endpoint: 'order.list', query: { status } });
        await concurrently(t, ['QUOTED', 'EXECUTING'].map(walk));
        await find();
      });
      await t.target.timeline.sleep(700);
    }
  },
}));

/** 4.4: the filter `status` of a maker's own quotes works likewise. */
const quoteFilters = rows(
  { maker: 'maker_a', rival: 'maker_b' },
  { maker: 'maker_c', rival: 'maker_a' },
).map<Check>(({ maker, rival }) => ({
  id: `quote.list.filters.${maker}`,
  title: `The quotes of ${maker} filtered by each state are those that the whole list shows in it.`,
  requirements: ['quote.list.status-filter', 'quote.list.status-filter.complete'],
  needs: { parties: ['sender', maker, rival], waitMs: 40_000 },
  async run(t) {
    const settling: PlacedOrder[] = [];
    for (const outcome of ['won', 'won', 'lost', 'lost', 'open', 'lapsed']) {
      const order = await createOrder(t);
      const validity = outcome === 'lapsed' ? { validForMs: 4_000 } : {};
      const mine = await quote(t, maker, order, validity);
      if (outcome !== 'won' && outcome !== 'lost') continue;
      await accept(t, order, outcome === 'won' ? mine : await quote(t, rival, order));
      settling.push(order);
    }
    await awaitOrderEnds(t, settling);
    await t.target.timeline.sleep(8_000);
    await walkFiltered(t, { by: maker, endpoint: 'quote.list' }, quoteStates);
    // A second time, since an item must have been in a state for a while before its filtered list is judged by it.
    await t.target.timeline.sleep(viewLagMs + 100);
    await walkFiltered(t, { by: maker, endpoint: 'quote.list' }, quoteStates);
  },
}));

export const filterChecks: readonly Check[] = [
  ...orderFilters,
  ...expired,
  ...passing,
  ...quoteFilters,
];
