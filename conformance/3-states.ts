import { type Check, defineCheck } from '../src/conformance/check.ts';
import {
  awaitStatus,
  cancel,
  createOrder,
  settledOrder,
  untilExpired,
} from '../src/conformance/moves/index.ts';

/** Part 3.1: how orders come to their states. */
export const stateChecks: readonly Check[] = [
  defineCheck({
    id: 'state.pending-to-settled',
    title: 'An order whose quote is accepted settles by itself.',
    requirements: ['order.state.starts-pending', 'order.state.executing-to-settled'],
    needs: { parties: ['sender', 'maker_a'], waitMs: 15_000 },
    async run(trial) {
      const { order, settled } = await settledOrder(trial);
      const first = order.data['status'];
      trial.judge('order.state.starts-pending', first === 'PENDING', {
        message: 'A new order was not PENDING.',
        expected: 'PENDING',
        actual: first,
        seen: [order.exchange],
      });
      trial.judge('order.state.executing-to-settled', settled.status === 'SETTLED', {
        message: 'An accepted order did not settle.',
        expected: 'SETTLED',
        actual: settled.status,
        seen: [settled.exchange],
      });
    },
  }),
  defineCheck({
    id: 'state.pending-to-expired',
    title: 'An order with no accepted quote expires at its deadline.',
    requirements: ['order.state.pending-to-expired'],
    needs: { parties: ['sender'], waitMs: 62_000 },
    async run(trial) {
      const order = await createOrder(trial);
      await untilExpired(trial, order);
      const reached = await awaitStatus(trial, order, ['EXPIRED'], 5_000);
      trial.judge('order.state.pending-to-expired', reached !== undefined, {
        message: 'An order was not EXPIRED 5 s after its deadline.',
        expected: 'EXPIRED',
      });
    },
  }),
  defineCheck({
    id: 'state.cancel-ends-order',
    title: 'A cancelled order ends, and stays ended.',
    requirements: ['order.state.cancel-ends-order'],
    needs: { parties: ['sender'] },
    async run(trial) {
      const order = await createOrder(trial);
      await cancel(trial, order);
      const reached = await awaitStatus(trial, order, ['FAILED', 'EXPIRED'], 5_000);
      trial.judge('order.state.cancel-ends-order', reached !== undefined, {
        message: 'A cancelled order had not ended 5 s later.',
        expected: 'FAILED or EXPIRED',
      });
    },
  }),
];
