import type { Check, CheckContext } from '../../../src/suite/engine/check.ts';
import {
  accept,
  assertRefused,
  awaitStatus,
  createOrder,
  isRefusal,
  matchesOrder,
  type OrderRef,
  paramsOf,
  quote,
  readOrder,
  retryWhileRefused,
  settledOrder,
} from '../../../src/suite/actions/index.ts';
import type { CastName } from '../../../src/spec/requirements/index.ts';
import { cancelOrder } from '../../shared/order-calls.ts';
import { needsOf, settlementTimeoutMs, viewLagMs, waits } from '../../shared/waits.ts';
import { stateOf } from '../../shared/order-fields.ts';
import { terminalOrderStates } from '../../../src/spec/states.ts';
import { pollList, walkUnchanged } from '../lists/list-walks.ts';
import { rows } from '../../shared/check-table.ts';

const list = (by: CastName) => ({ by, endpoint: 'settlement.list' }) as const;

/** Looks for a settlement on a maker's list, and reads it. */
async function listAndRead(t: CheckContext, maker: CastName, order: OrderRef): Promise<void> {
  await pollList(t, list(maker), matchesOrder(order));
  await t.party(maker).call('settlement.read', { params: paramsOf(order) });
}

/** 2.5, 4.4: the settlements of a maker are the trades that it won, and each reads as it is listed. */
const won = rows(
  { maker: 'maker_a', acceptedBy: 'sender', rate: '1' },
  { maker: 'maker_b', acceptedBy: 'sender_custodian', rate: '1' },
  { maker: 'maker_c', acceptedBy: 'sender', rate: '1.0372' },
  { maker: 'maker_a', acceptedBy: 'sender_custodian', rate: '0.98765' },
).map<Check>(({ maker, acceptedBy, rate }) => ({
  id: `settlement.list.${maker}.${acceptedBy}`,
  title: `Trades that ${maker} won at ${rate} and ${acceptedBy} accepted are settlements of ${maker} once settled.`,
  requirements: [
    'settlement.list.holds-won',
    'settlement.read.returns-that-settlement',
    'settlement.read.agrees-with-list',
  ],
  needs: needsOf(2 * waits.settlement, 'sender', acceptedBy, maker),
  async run(t) {
    for (let trade = 0; trade < 2; trade += 1) {
      const { order } = await settledOrder(t, { maker, acceptedBy, rate });
      await listAndRead(t, maker, order);
    }
  },
}));

/** 4.4: an order that has not settled yet is no settlement. */
const early = (['sender', 'sender_custodian'] as const).map<Check>((acceptedBy) => ({
  id: `settlement.list.early.${acceptedBy}`,
  title: `Until a trade that ${acceptedBy} accepted has settled, it is no settlement of its maker.`,
  requirements: ['settlement.list.settled-only', 'settlement.read.unsettled-refused'],
  needs: needsOf(waits.settlement, 'sender', acceptedBy, 'maker_a'),
  async run(t) {
    const order = await createOrder(t);
    const placed = await quote(t, 'maker_a', order);
    await walkUnchanged(t, list('maker_a'));
    const params = paramsOf(order);
    const no = await t.party('maker_a').call('settlement.read', { params });
    if (stateOf((await readOrder(t, order)).data) === 'PENDING') {
      const what = 'the settlement of a PENDING order';
      assertRefused(t, 'settlement.read.unsettled-refused', no, what);
    }
    await accept(t, order, placed, acceptedBy);
    for (let look = 0; look < 6; look += 1) {
      await walkUnchanged(t, list('maker_a'));
      await t.party('maker_a').call('settlement.read', { params });
      // An order that is not SETTLED now was not SETTLED when the list was made either.
      const state = stateOf((await readOrder(t, order)).data);
      if (terminalOrderStates.some((end) => end === state)) return;
      await t.target.timeline.sleep(800);
    }
  },
}));

/** 4.4: a settlement is read by the id of its order; an order that has none is refused. */
const unknown: Check = {
  id: 'settlement.read.unknown',
  title: 'An id that no settlement has is refused to every maker; a settlement of its own is read.',
  requirements: ['settlement.read.unknown-refused', 'settlement.read.unsettled-refused'],
  needs: { parties: ['sender', 'maker_a', 'maker_b'], waitMs: waits.settlement },
  async run(t) {
    const pending = await createOrder(t);
    const { order } = await settledOrder(t, { maker: 'maker_a' });
    const real = await retryWhileRefused(t, () =>
      t.party('maker_a').call('settlement.read', { params: paramsOf(order) }),
    );
    if (isRefusal(real)) t.notExercised('the real settlement was not read either', [real]);
    for (const maker of ['maker_a', 'maker_b'] as const) {
      const read = (intentId: string) =>
        t.party(maker).call('settlement.read', { params: { intent_id: intentId } });
      const no = await read(t.random.uuid());
      assertRefused(t, 'settlement.read.unknown-refused', no, 'the settlement of no order');
      const what = 'that of an order without quotes';
      const unsettled = await read(pending.intentId);
      assertRefused(t, 'settlement.read.unsettled-refused', unsettled, what);
    }
  },
};

/** 4.4: an order that was cancelled never becomes a settlement. */
const cancelled: Check = {
  id: 'settlement.list.cancelled',
  title: 'An order that was cancelled, quoted or not, is no settlement of anybody.',
  requirements: ['settlement.list.settled-only'],
  needs: { parties: ['sender', 'maker_a', 'maker_b'], waitMs: 10_000 },
  async run(t) {
    const order = await createOrder(t);
    await quote(t, 'maker_a', order);
    await cancelOrder(t, order);
    await t.target.timeline.sleep(6_000);
    await readOrder(t, order);
    await t.party('sender').call('order.quotes', { params: paramsOf(order) });
    await t.party('maker_a').call('rfq.quotes', { params: paramsOf(order) });
    for (const maker of ['maker_a', 'maker_b'] as const) await walkUnchanged(t, list(maker));
  },
};

/** 4.4: a settlement is on the list of the maker that won the trade, and on no other's. */
const others: Check = {
  id: 'settlement.list.others',
  title:
    'A settled trade is on the list of the maker that won it, and of no maker that quoted it too.',
  requirements: ['settlement.list.won-only', 'settlement.list.holds-won'],
  needs: { parties: ['sender', 'maker_a', 'maker_b', 'maker_c'], waitMs: waits.settlement },
  async run(t) {
    const order = await createOrder(t);
    await quote(t, 'maker_a', order);
    await accept(t, order, await quote(t, 'maker_b', order));
    if (!(await awaitStatus(t, order, ['SETTLED'], settlementTimeoutMs)))
      t.notExercised('the order did not settle');
    await t.target.timeline.sleep(viewLagMs);
    for (const maker of ['maker_a', 'maker_b', 'maker_c'] as const) {
      await pollList(t, list(maker), matchesOrder(order));
    }
  },
};

export const settlementEndpointChecks: readonly Check[] = [
  ...won,
  ...early,
  unknown,
  cancelled,
  others,
];
