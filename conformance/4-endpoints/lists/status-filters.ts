import { type Check, defineCheck } from '../../../src/suite/engine/check.ts';
import {
  accept,
  createOrder,
  findInList,
  retryWhileRefused,
  matchesOrder,
  itemsOf,
  paramsOf,
  type PlacedOrder,
  quote,
  readOrder,
  untilExpired,
} from '../../../src/suite/actions/index.ts';
import type { CastName } from '../../../src/spec/requirements/index.ts';
import { orderStates, quoteStates } from '../../../src/spec/vocabulary.ts';
import { cancelOrder } from '../../shared/order-calls.ts';
import { each } from '../../shared/check-table.ts';
import { viewLagMs, expiryLagMs, waits } from '../../shared/waits.ts';
import { stateOf } from '../../shared/order-fields.ts';
import { terminalOrderStates } from '../../../src/spec/states.ts';
import {
  awaitOrderEnds,
  filterRequirements,
  assertFilters,
  assertUnderFilter,
  requirementsOf,
} from './filter-assertions.ts';

const orderFilters = each(
  [
    { by: 'sender', creator: 'sender', requirements: filterRequirements.institution },
    { by: 'outsider', creator: 'outsider', requirements: filterRequirements.institution },
    { by: 'sender_custodian', creator: 'sender', requirements: filterRequirements.custodian },
  ] as const,
  ({ by, creator, requirements }) =>
    defineCheck({
      id: `order.list.filters.${by}`,
      title: `The orders of ${by} filtered by each state are those that the whole list shows in it.`,
      requirements: requirementsOf(requirements),
      needs: { parties: [...new Set<CastName>([by, creator, 'maker_a'])], waitMs: 40_000 },
      async run(t) {
        const orders: PlacedOrder[] = [];
        for (let n = 0; n < 6; n += 1) {
          orders.push(await createOrder(t, {}, { by: creator }));
        }
        const [, , settling, another, cancelled, lapsing] = orders;
        for (const order of [settling, another]) {
          if (order) await accept(t, order, await quote(t, 'maker_a', order));
        }
        if (cancelled) await cancelOrder(t, cancelled, creator);
        if (lapsing) await quote(t, 'maker_a', lapsing);
        await awaitOrderEnds(
          t,
          [settling, another].flatMap((order) => (order ? [order] : [])),
        );
        await t.target.timeline.sleep(7_000);
        for (const order of orders.slice(1, 5))
          await assertUnderFilter(t, by, order, requirements.all);
        await assertFilters(t, { by, endpoint: 'order.list' }, orderStates, requirements);
      },
    }),
);

/** EXPIRED is a state that only waiting brings about: for orders and for their quotes. */
const expired = each(
  [
    { by: 'sender', requirements: filterRequirements.institution },
    { by: 'sender_custodian', requirements: filterRequirements.custodian },
  ] as const,
  ({ by, requirements }) =>
    defineCheck({
      id: `order.list.filters.expired.${by}`,
      title: `Orders of ${by} that have expired, quoted or not, are in the list of EXPIRED ones, and of no other state.`,
      requirements: requirementsOf(requirements),
      needs: {
        parties: [...new Set<CastName>(['sender', by, 'maker_c'])],
        waitMs: waits.orderExpiry,
      },
      async run(t) {
        const quoted = await createOrder(t);
        const orders = [await createOrder(t), quoted];
        await quote(t, 'maker_c', quoted);
        for (const order of orders) await untilExpired(t, order, expiryLagMs);
        for (const order of orders) await assertUnderFilter(t, by, order, requirements.all);
        // By now the list is the longest of the run: its first page holds enough to compare with.
        const list = { by, endpoint: 'order.list' } as const;
        await assertFilters(t, list, ['EXPIRED', 'PENDING'], requirements, 1);
      },
    }),
);

/** The states that pass by themselves: what is in one before and after a look, is in it while one looks. */
const passing = each(['sender', 'sender_custodian'] as const, (by) =>
  defineCheck({
    id: `order.list.filters.passing.${by}`,
    title: `While an order of ${by} is QUOTED or EXECUTING it is in the list of that state, and in no other.`,
    requirements: requirementsOf(
      by === 'sender' ? filterRequirements.institution : filterRequirements.custodian,
    ),
    needs: { parties: [...new Set<CastName>(['sender', by, 'maker_b'])], waitMs: 20_000 },
    async run(t) {
      const requirements =
        by === 'sender' ? filterRequirements.institution : filterRequirements.custodian;
      const order = await createOrder(t);
      const isIt = matchesOrder(order);
      const { timeline } = t.target;
      const since = new Map<string, number>();
      await accept(t, order, await quote(t, 'maker_b', order));
      await retryWhileRefused(t, () => t.party(by).call('order.read', { params: paramsOf(order) }));
      for (let look = 0; look < 12; look += 1) {
        const ended = await t.exclusively(async () => {
          const before = await readOrder(t, order, by);
          const state = stateOf(before.data) ?? '';
          if (terminalOrderStates.some((one) => one === state)) return true;
          if (!since.has(state)) since.set(state, timeline.now());
          // Lists may follow a while after what is read.
          const isFresh = timeline.now() < (since.get(state) ?? 0) + viewLagMs;
          const look = (query: Readonly<Record<string, string>>) =>
            findInList(t, t.party(by), 'order.list', isIt, { query });
          const wanted = await look({ status: state });
          // Then the whole list is not up to date either.
          const whole = wanted.item || !isFresh ? undefined : await look({});
          const wrong = state === 'QUOTED' ? 'EXECUTING' : 'QUOTED';
          const other = await t.party(by).call('order.list', { query: { status: wrong } });
          const after = await readOrder(t, order, by);
          if (stateOf(after.data) !== state) return false;
          if (whole && stateOf(whole.item ?? {}) !== state) return false;
          const seen = [before.exchange, ...wanted.pages.slice(-2), after.exchange];
          if (wanted.item || wanted.ended === 'whole') {
            t.assert(requirements.all, wanted.item !== undefined, {
              message: `An order that was ${state} was not in the list filtered by it.`,
              expected: order.intentId,
              seen,
            });
          }
          const strays = itemsOf(other).filter(isIt);
          if (isFresh && strays.every((item) => stateOf(item) === wrong) && strays.length > 0) {
            return false;
          }
          t.assert(requirements.only, strays.length === 0, {
            message: `An order that was ${state} was in the list filtered by another state.`,
            expected: 'no such order',
            actual: strays,
            seen: [before.exchange, other, after.exchange],
          });
          return false;
        });
        if (ended) return;
        await timeline.sleep(700);
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
      requirements: requirementsOf(filterRequirements.maker),
      needs: { parties: ['sender', maker, rival], waitMs: 40_000 },
      async run(t) {
        const orders: PlacedOrder[] = [];
        for (let n = 0; n < 6; n += 1) {
          const order = await createOrder(t);
          const brief = n === 5 ? { validForMs: 4_000 } : {};
          const mine = await quote(t, maker, order, brief);
          orders.push(order);
          if (n < 2) await accept(t, order, mine);
          else if (n < 4) await accept(t, order, await quote(t, rival, order));
        }
        await awaitOrderEnds(t, orders.slice(0, 4));
        await t.target.timeline.sleep(8_000);
        await assertFilters(
          t,
          { by: maker, endpoint: 'quote.list' },
          quoteStates,
          filterRequirements.maker,
        );
      },
    }),
);

export const filterChecks: readonly Check[] = [
  ...orderFilters,
  ...expired,
  ...passing,
  ...quoteFilters,
];
