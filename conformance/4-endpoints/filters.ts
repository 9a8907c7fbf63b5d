import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  accept,
  awaitStatus,
  createOrder,
  type Fields,
  findInList,
  itemsOf,
  type PlacedOrder,
  quote,
  readOrder,
  type Walk,
} from '../../src/conformance/moves/index.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { orderStates, quoteStates } from '../../src/spec/words.ts';
import {
  cancelling,
  each,
  lagMs,
  settlementPatienceMs,
  stateOf,
  terminal,
} from '../3-states/words.ts';
import {
  farEnough,
  idOf,
  idsOf,
  type Listing,
  shownOf,
  statusOf,
  totalOf,
  walkOf,
  whileSteady,
} from './walks.ts';

/** What the filter of one list is held to: that it holds nothing else, that it holds all, that it counts right. */
interface Held {
  readonly only: RequirementId;
  readonly all: RequirementId;
  readonly totals?: RequirementId;
}

const held = {
  institution: {
    only: 'order.list.status-filter',
    all: 'order.list.status-filter.complete',
    totals: 'order.list.status-filter.totals',
  },
  custodian: {
    only: 'order.list.custodian-status-filter',
    all: 'order.list.custodian-status-filter',
    totals: 'order.list.status-filter.totals',
  },
  maker: { only: 'quote.list.status-filter', all: 'quote.list.status-filter.complete' },
} as const satisfies Record<string, Held>;

const requirementsOf = ({ only, all, totals }: Held): readonly RequirementId[] => [
  ...new Set([only, all, ...(totals ? [totals] : [])]),
];

/** Judges the filters of a list by the list itself: what it shows in a state is what that state's filter must hold. */
async function judgeFilters(
  trial: Trial,
  listing: Listing,
  states: readonly string[],
  requirements: Held,
): Promise<void> {
  const found = await whileSteady(trial, listing, async () => {
    const walks: { readonly status: string; readonly walk: Walk }[] = [];
    for (const status of states) {
      const filtered = { ...listing, query: { status } };
      walks.push({ status, walk: await walkOf(trial, filtered, { mostPages: farEnough }) });
    }
    return walks;
  });
  if (!found) return trial.giveUp(`${listing.endpoint} kept changing while it was filtered`);
  for (const { status, walk } of found.seen) {
    judgeFilter(trial, { listing, status, requirements }, found.before, walk);
  }
}

interface Filter {
  readonly listing: Listing;
  readonly status: string;
  readonly requirements: Held;
}

function judgeFilter(trial: Trial, filter: Filter, whole: Walk, walk: Walk): void {
  const { listing, status, requirements } = filter;
  if (walk.ended === 'refused') {
    trial.judge(requirements.all, false, {
      message: `${listing.endpoint} could not be filtered by ${status}.`,
      expected: 'a list',
      actual: walk.pages.at(-1)?.response?.status,
      seen: walk.pages.slice(-1),
    });
    return;
  }
  const ids = new Set(idsOf(listing, walk.items));
  const others = walk.items.filter((item) => statusOf(item) !== status);
  trial.judge(requirements.only, others.length === 0, {
    message: `${listing.endpoint} filtered by ${status} held items in other states.`,
    expected: status,
    actual: [...new Set(others.map(statusOf))],
    seen: shownOf(walk),
  });
  if (walk.ended !== 'whole') return;
  const due = whole.items.filter((item) => statusOf(item) === status);
  const missing = due.filter((item) => !ids.has(idOf(listing, item)));
  if (due.length > 0) {
    trial.judge(requirements.all, missing.length === 0, {
      message: `${listing.endpoint} filtered by ${status} left out what the whole list shows in it.`,
      expected: `${due.length} items`,
      actual: { missing: missing.map((item) => idOf(listing, item)) },
      seen: [...shownOf(whole), ...shownOf(walk)],
    });
  }
  const total = totalOf(walk);
  if (!requirements.totals || whole.ended !== 'whole' || total === undefined) return;
  trial.judge(requirements.totals, total === due.length, {
    message: `The total of ${listing.endpoint} filtered by ${status} did not count what is in it.`,
    expected: due.length,
    actual: total,
    seen: shownOf(walk),
  });
}

const ends = async (trial: Trial, orders: readonly PlacedOrder[]): Promise<void> => {
  await trial.target.timeline.together(
    orders.map((order, index) => [
      `settlement ${index + 1}`,
      async () => {
        await awaitStatus(trial, order, terminal, settlementPatienceMs, order.by);
      },
    ]),
  );
};

/** Judges that one order stands under the filter of its state, wherever in a long list. */
async function judgeUnder(
  trial: Trial,
  by: CastName,
  order: PlacedOrder,
  requirement: RequirementId,
): Promise<void> {
  const { data } = await readOrder(trial, order, order.by);
  const status = stateOf(data);
  if (status === undefined) return;
  const isIt = (item: Fields) =>
    idOf({ by, endpoint: 'order.list' }, item) === order.intentId.toLowerCase();
  const query = { query: { status } };
  const look = () => findInList(trial, trial.party(by), 'order.list', isIt, query);
  let found = await look();
  if (!found.item && by !== order.by) {
    await trial.target.timeline.sleep(lagMs);
    found = await look();
  }
  const now = await readOrder(trial, order, order.by);
  if (stateOf(now.data) !== status || (!found.item && found.ended !== 'whole')) return;
  trial.judge(requirement, found.item !== undefined, {
    message: `An order that is ${status} was not in the list filtered by it.`,
    expected: order.intentId,
    seen: [now.exchange, ...found.pages.slice(-3)],
  });
}

const orderFilters = each(
  [
    { by: 'sender', creator: 'sender', requirements: held.institution },
    { by: 'outsider', creator: 'outsider', requirements: held.institution },
    { by: 'sender_custodian', creator: 'sender', requirements: held.custodian },
  ] as const,
  ({ by, creator, requirements }) =>
    defineCheck({
      id: `order.list.filters.${by}`,
      title: `The orders of ${by} filtered by each state are those that the whole list shows in it.`,
      requirements: requirementsOf(requirements),
      needs: { parties: [...new Set<CastName>([by, creator, 'maker_a'])], waitMs: 40_000 },
      async run(trial) {
        const orders: PlacedOrder[] = [];
        for (let n = 0; n < 6; n += 1) {
          orders.push(await createOrder(trial, {}, { by: creator }));
        }
        const [, , settling, another, cancelled, lapsing] = orders;
        for (const order of [settling, another]) {
          if (order) await accept(trial, order, await quote(trial, 'maker_a', order));
        }
        if (cancelled) await cancelling(trial, cancelled, creator);
        if (lapsing) await quote(trial, 'maker_a', lapsing);
        await ends(
          trial,
          [settling, another].flatMap((order) => (order ? [order] : [])),
        );
        await trial.target.timeline.sleep(7_000);
        for (const order of orders.slice(1, 5))
          await judgeUnder(trial, by, order, requirements.all);
        await judgeFilters(trial, { by, endpoint: 'order.list' }, orderStates, requirements);
      },
    }),
);

/** The states that pass by themselves: what is in one before and after a look, is in it while one looks. */
const passing = each(['sender', 'sender_custodian'] as const, (by) =>
  defineCheck({
    id: `order.list.filters.passing.${by}`,
    title: `While an order of ${by} is QUOTED or EXECUTING it is in the list of that state, and in no other.`,
    requirements: requirementsOf(by === 'sender' ? held.institution : held.custodian),
    needs: { parties: [...new Set<CastName>(['sender', by, 'maker_b'])], waitMs: 20_000 },
    async run(trial) {
      const requirements = by === 'sender' ? held.institution : held.custodian;
      const order = await createOrder(trial);
      const id = order.intentId.toLowerCase();
      await accept(trial, order, await quote(trial, 'maker_b', order));
      for (let look = 0; look < 12; look += 1) {
        const ended = await trial.quietly(async () => {
          const before = await readOrder(trial, order, by);
          const state = stateOf(before.data) ?? '';
          if (terminal.some((one) => one === state)) return true;
          const query = { status: state };
          const wanted = await findInList(
            trial,
            trial.party(by),
            'order.list',
            (item) => idOf({ by, endpoint: 'order.list' }, item) === id,
            { query },
          );
          const other = await trial
            .party(by)
            .call('order.list', { query: { status: state === 'QUOTED' ? 'EXECUTING' : 'QUOTED' } });
          const after = await readOrder(trial, order, by);
          if (stateOf(after.data) !== state) return false;
          const seen = [before.exchange, ...wanted.pages.slice(-2), after.exchange];
          if (wanted.item || wanted.ended === 'whole') {
            trial.judge(requirements.all, wanted.item !== undefined, {
              message: `An order that was ${state} was not in the list filtered by it.`,
              expected: order.intentId,
              seen,
            });
          }
          const strays = itemsOf(other).filter(
            (item) => idOf({ by, endpoint: 'order.list' }, item) === id,
          );
          trial.judge(requirements.only, strays.length === 0, {
            message: `An order that was ${state} was in the list filtered by another state.`,
            expected: 'no such order',
            actual: strays,
            seen: [before.exchange, other, after.exchange],
          });
          return false;
        });
        if (ended) return;
        await trial.target.timeline.sleep(700);
      }
    },
  }),
);

const quoteFilters = each(
  [
    { maker: 'maker_a', rival: 'maker_b' },
    { maker: 'maker_c', rival: 'maker_a' },
  ] as const,
  ({ maker, rival }) =>
    defineCheck({
      id: `quote.list.filters.${maker}`,
      title: `The quotes of ${maker} filtered by each state are those that the whole list shows in it.`,
      requirements: requirementsOf(held.maker),
      needs: { parties: ['sender', maker, rival], waitMs: 40_000 },
      async run(trial) {
        const orders: PlacedOrder[] = [];
        for (let n = 0; n < 6; n += 1) {
          const order = await createOrder(trial);
          const brief = n === 5 ? { validForMs: 4_000 } : {};
          const mine = await quote(trial, maker, order, brief);
          orders.push(order);
          if (n < 2) await accept(trial, order, mine);
          else if (n < 4) await accept(trial, order, await quote(trial, rival, order));
        }
        await ends(trial, orders.slice(0, 4));
        await trial.target.timeline.sleep(8_000);
        await judgeFilters(trial, { by: maker, endpoint: 'quote.list' }, quoteStates, held.maker);
      },
    }),
);

export const filterChecks: readonly Check[] = [...orderFilters, ...passing, ...quoteFilters];
