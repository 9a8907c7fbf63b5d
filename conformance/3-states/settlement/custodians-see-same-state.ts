import { type Check, defineCheck, type CheckContext } from '../../../src/suite/engine/check.ts';
import {
  awaitStatus,
  createOrder,
  type PlacedOrder,
  quote,
  readOrder,
  untilExpired,
} from '../../../src/suite/actions/index.ts';
import type { OrderState } from '../../../src/spec/vocabulary.ts';
import { assertAcceptance, lifeRequirementsOf } from '../../shared/order-life.ts';
import { assertState, assertReaches } from '../../shared/order-assertions.ts';
import {
  type Accepter,
  cancelOrder,
  each,
  viewLagMs,
  settlementTimeoutMs,
  expiryLagMs,
  unsettledStates,
  waits,
} from '../../shared/order-calls.ts';

const observers = ['sender', 'sender_custodian', 'receiver_custodian'] as const;

const parties = [...observers, 'maker_a', 'maker_b'] as const;

/** Judges that everybody who may read an order comes to see it in its state. */
async function assertViews(
  t: CheckContext,
  order: PlacedOrder,
  states: readonly OrderState[],
): Promise<void> {
  const requirement = 'order.state.views-agree';
  for (const by of observers) {
    await assertReaches(t, requirement, order, states, viewLagMs, `as ${by} reads it`, by);
  }
}

const accepted = each<Accepter>(['sender', 'sender_custodian'], (by) =>
  defineCheck({
    id: `order.views.accepted-by.${by}`,
    title: `The sender and both custodians read the same order at every stage after ${by} accepts a quote.`,
    requirements: ['order.state.views-agree', ...lifeRequirementsOf(by)],
    needs: { parties, waitMs: waits.settlement },
    async run(t) {
      const order = await createOrder(t);
      const placed = await quote(t, 'maker_b', order);
      await assertViews(t, order, ['PENDING']);
      const deal = { order, quote: placed, acceptedBy: by };
      if (!(await assertAcceptance(t, deal))) return;
      await assertViews(t, order, ['QUOTED', 'EXECUTING', 'SETTLED']);
      await awaitStatus(t, order, ['EXECUTING'], settlementTimeoutMs);
      for (const observer of observers) await readOrder(t, order, observer);
      await awaitStatus(t, order, ['SETTLED'], settlementTimeoutMs);
      await assertViews(t, order, ['SETTLED']);
    },
  }),
);

const ended: readonly Check[] = [
  defineCheck({
    id: 'order.views.cancelled',
    title: 'Both custodians read a cancelled order as ended, the same way as its sender.',
    requirements: ['order.state.views-agree', 'order.state.cancel-ends-order'],
    needs: { parties },
    async run(t) {
      const order = await createOrder(t);
      await quote(t, 'maker_a', order);
      await cancelOrder(t, order);
      const requirement = 'order.state.cancel-ends-order';
      const end = await assertReaches(
        t,
        requirement,
        order,
        unsettledStates,
        5_000,
        'after its cancel',
      );
      if (end) await assertViews(t, order, [end.status]);
    },
  }),
  defineCheck({
    id: 'order.views.expired',
    title: 'Both custodians read an expired order as EXPIRED, as its sender does.',
    requirements: ['order.state.views-agree', 'order.state.pending-to-expired'],
    needs: { parties, waitMs: waits.orderExpiry },
    async run(t) {
      const order = await createOrder(t);
      await quote(t, 'maker_b', order);
      await untilExpired(t, order, expiryLagMs);
      const now = await readOrder(t, order);
      const requirement = 'order.state.pending-to-expired';
      if (assertState(t, requirement, now, ['EXPIRED'], 'well after its expires_at')) {
        await assertViews(t, order, ['EXPIRED']);
      }
    },
  }),
];

export const sameStateChecks: readonly Check[] = [...accepted, ...ended];
