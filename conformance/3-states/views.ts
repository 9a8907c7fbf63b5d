import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  awaitStatus,
  createOrder,
  type PlacedOrder,
  quote,
  readOrder,
  untilExpired,
} from '../../src/conformance/moves/index.ts';
import type { OrderState } from '../../src/spec/words.ts';
import { judgeAcceptance, lifeRequirementsOf } from './flow.ts';
import { judgeState, mustReach } from './verdicts.ts';
import {
  type Accepter,
  cancelling,
  each,
  lagMs,
  settlementPatienceMs,
  sweepMs,
  unsettled,
  waits,
} from './words.ts';

const observers = ['sender', 'sender_custodian', 'receiver_custodian'] as const;

const parties = [...observers, 'maker_a', 'maker_b'] as const;

/** Judges that everybody who may read an order comes to see it in its state. */
async function judgeViews(
  trial: Trial,
  order: PlacedOrder,
  states: readonly OrderState[],
): Promise<void> {
  const requirement = 'order.state.views-agree';
  for (const by of observers) {
    await mustReach(trial, requirement, order, states, lagMs, `as ${by} reads it`, by);
  }
}

const accepted = each<Accepter>(['sender', 'sender_custodian'], (by) =>
  defineCheck({
    id: `order.views.accepted-by.${by}`,
    title: `The sender and both custodians read the same order at every stage after ${by} accepts a quote.`,
    requirements: ['order.state.views-agree', ...lifeRequirementsOf(by)],
    needs: { parties, waitMs: waits.settlement },
    async run(trial) {
      const order = await createOrder(trial);
      const placed = await quote(trial, 'maker_b', order);
      await judgeViews(trial, order, ['PENDING']);
      const deal = { order, quote: placed, acceptedBy: by };
      if (!(await judgeAcceptance(trial, deal))) return;
      await judgeViews(trial, order, ['QUOTED', 'EXECUTING', 'SETTLED']);
      await awaitStatus(trial, order, ['EXECUTING'], settlementPatienceMs);
      for (const observer of observers) await readOrder(trial, order, observer);
      await awaitStatus(trial, order, ['SETTLED'], settlementPatienceMs);
      await judgeViews(trial, order, ['SETTLED']);
    },
  }),
);

const ended: readonly Check[] = [
  defineCheck({
    id: 'order.views.cancelled',
    title: 'Both custodians read a cancelled order as ended, the same way as its sender.',
    requirements: ['order.state.views-agree', 'order.state.cancel-ends-order'],
    needs: { parties },
    async run(trial) {
      const order = await createOrder(trial);
      await quote(trial, 'maker_a', order);
      await cancelling(trial, order);
      const requirement = 'order.state.cancel-ends-order';
      const end = await mustReach(trial, requirement, order, unsettled, 5_000, 'after its cancel');
      if (end) await judgeViews(trial, order, [end.status]);
    },
  }),
  defineCheck({
    id: 'order.views.expired',
    title: 'Both custodians read an expired order as EXPIRED, as its sender does.',
    requirements: ['order.state.views-agree', 'order.state.pending-to-expired'],
    needs: { parties, waitMs: waits.orderExpiry },
    async run(trial) {
      const order = await createOrder(trial);
      await quote(trial, 'maker_b', order);
      await untilExpired(trial, order, sweepMs);
      const now = await readOrder(trial, order);
      const requirement = 'order.state.pending-to-expired';
      if (judgeState(trial, requirement, now, ['EXPIRED'], 'well after its expires_at')) {
        await judgeViews(trial, order, ['EXPIRED']);
      }
    },
  }),
];

export const viewChecks: readonly Check[] = [...accepted, ...ended];
