import { type Check, defineCheck } from '../../src/conformance/check.ts';
import {
  accept,
  createOrder,
  findInList,
  insist,
  isOrder,
  itemsOf,
  paramsOf,
  type PlacedOrder,
  quote,
  readOrder,
  untilExpired,
} from '../../src/conformance/moves/index.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import { orderStates, quoteStates } from '../../src/spec/words.ts';
import { cancelling, each, lagMs, stateOf, sweepMs, terminal, waits } from '../3-states/words.ts';
import { ends, held, judgeFilters, judgeUnder, requirementsOf } from './filtered.ts';

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

/** EXPIRED is a state that only waiting brings about: for orders and for their quotes. */
const expired = each(
  [
    { by: 'sender', requirements: held.institution },
    { by: 'sender_custodian', requirements: held.custodian },
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
      async run(trial) {
        const quoted = await createOrder(trial);
        const orders = [await createOrder(trial), quoted];
        await quote(trial, 'maker_c', quoted);
        for (const order of orders) await untilExpired(trial, order, sweepMs);
        for (const order of orders) await judgeUnder(trial, by, order, requirements.all);
        // By now the list is the longest of the run: its first page holds enough to compare with.
        const list = { by, endpoint: 'order.list' } as const;
        await judgeFilters(trial, list, ['EXPIRED', 'PENDING'], requirements, 1);
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
      const isIt = isOrder(order);
      const { timeline } = trial.target;
      const since = new Map<string, number>();
      await accept(trial, order, await quote(trial, 'maker_b', order));
      await insist(trial, () => trial.party(by).call('order.read', { params: paramsOf(order) }));
      for (let look = 0; look < 12; look += 1) {
        const ended = await trial.quietly(async () => {
          const before = await readOrder(trial, order, by);
          const state = stateOf(before.data) ?? '';
          if (terminal.some((one) => one === state)) return true;
          if (!since.has(state)) since.set(state, timeline.now());
          // Lists may follow a while after what is read.
          const isFresh = timeline.now() < (since.get(state) ?? 0) + lagMs;
          const look = (query: Readonly<Record<string, string>>) =>
            findInList(trial, trial.party(by), 'order.list', isIt, { query });
          const wanted = await look({ status: state });
          // Then the whole list is not up to date either.
          const whole = wanted.item || !isFresh ? undefined : await look({});
          const wrong = state === 'QUOTED' ? 'EXECUTING' : 'QUOTED';
          const other = await trial.party(by).call('order.list', { query: { status: wrong } });
          const after = await readOrder(trial, order, by);
          if (stateOf(after.data) !== state) return false;
          if (whole && stateOf(whole.item ?? {}) !== state) return false;
          const seen = [before.exchange, ...wanted.pages.slice(-2), after.exchange];
          if (wanted.item || wanted.ended === 'whole') {
            trial.judge(requirements.all, wanted.item !== undefined, {
              message: `An order that was ${state} was not in the list filtered by it.`,
              expected: order.intentId,
              seen,
            });
          }
          const strays = itemsOf(other).filter(isIt);
          if (isFresh && strays.every((item) => stateOf(item) === wrong) && strays.length > 0) {
            return false;
          }
          trial.judge(requirements.only, strays.length === 0, {
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

export const filterChecks: readonly Check[] = [
  ...orderFilters,
  ...expired,
  ...passing,
  ...quoteFilters,
];
