import type { Check, CheckContext } from '../../../src/suite/engine/check.ts';
import {
  awaitStatus,
  type PlacedOrder,
  quotedOrder,
  readOrder,
  untilExpired,
} from '../../../src/suite/actions/index.ts';
import { acceptQuote, lifeRequirementsOf } from '../../shared/order-life.ts';
import { cancelAndFollow } from '../cancel/cancelled-order.ts';
import { expiryLagMs, settlementTimeoutMs, untilViewsAgree, waits } from '../../shared/waits.ts';

const observers = ['sender', 'sender_custodian', 'receiver_custodian'] as const;

/** All permitted parties read an order: at once, and again when the action of one must show to all. */
async function readAsAll(t: CheckContext, order: PlacedOrder): Promise<void> {
  for (const observer of observers) await readOrder(t, order, observer);
  await untilViewsAgree(t);
  for (const observer of observers) await readOrder(t, order, observer);
}

const parties = [...observers, 'maker_a', 'maker_b'] as const;

/** 3.1: an order has one state for all its readers, at every stage of its way to a settlement. */
const accepted = (['sender', 'sender_custodian'] as const).map<Check>((by) => ({
  id: `order.views.accepted-by.${by}`,
  title: `The sender and both custodians read the same order at every stage after ${by} accepts a quote.`,
  requirements: ['order.state.views-agree', ...lifeRequirementsOf(by)],
  needs: { parties, waitMs: waits.settlement },
  async run(t) {
    const quoted = await quotedOrder(t, { maker: 'maker_b' });
    const { order } = quoted;
    await readAsAll(t, order);
    await acceptQuote(t, { ...quoted, acceptedBy: by });
    for (const observer of observers) await readOrder(t, order, observer);
    await awaitStatus(t, order, ['EXECUTING'], settlementTimeoutMs);
    for (const observer of observers) await readOrder(t, order, observer);
    await awaitStatus(t, order, ['SETTLED'], settlementTimeoutMs);
    await readAsAll(t, order);
  },
}));

/** 3.1: the same check for orders that end without a settlement. */
const ended: readonly Check[] = [
  {
    id: 'order.views.cancelled',
    title: 'Both custodians read a cancelled order as ended, the same way as its sender.',
    requirements: ['order.state.views-agree', 'order.state.cancel-ends-order'],
    needs: { parties },
    async run(t) {
      const { order } = await quotedOrder(t);
      await cancelAndFollow(t, order);
      await readAsAll(t, order);
    },
  },
  {
    id: 'order.views.expired',
    title: 'Both custodians read an expired order as EXPIRED, as its sender does.',
    requirements: ['order.state.views-agree', 'order.state.pending-to-expired'],
    needs: { parties, waitMs: waits.orderExpiry },
    async run(t) {
      const { order } = await quotedOrder(t, { maker: 'maker_b' });
      await untilExpired(t, order, expiryLagMs);
      await readAsAll(t, order);
    },
  },
];

export const sameStateChecks: readonly Check[] = [...accepted, ...ended];
