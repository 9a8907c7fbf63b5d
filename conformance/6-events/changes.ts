import { type Check, defineCheck } from '../../src/conformance/check.ts';
import {
  accept,
  createOrder,
  paramsOf,
  type PlacedOrder,
  quote,
  succeeded,
} from '../../src/conformance/moves/index.ts';
import { acceptCall, cancelCall, cancelling } from '../3-states/words.ts';
import { framesOf, heardSince, judgeTold, makers, namesOrders, tellsState } from './hearing.ts';
import { travelMs } from './listening.ts';

/** What changes no status tells none: quotes, reads and refused requests on an open order. */
const onlyOnChange = defineCheck({
  id: 'event.order-updated.only-on-change',
  title:
    'Quotes, reads and refused requests leave an order PENDING, and no order_updated tells anything of it.',
  requirements: ['event.order-updated.only-on-change'],
  needs: {
    parties: ['sender', 'outsider', 'sender_custodian', 'receiver_custodian', 'maker_a', 'maker_b'],
    waitMs: 2 * travelMs,
  },
  async run(trial) {
    const order = await createOrder(trial);
    // Whether creation itself is told, and a proposal that was accepted, is open.
    await trial.target.timeline.sleep(travelMs);
    const since = trial.target.timeline.now();
    const listeners = ['sender', 'sender_custodian'] as const;
    const before = listeners.map((by) => framesOf(trial, by, order, 'order_updated').length);
    const placed = await quote(trial, 'maker_a', order);
    await quote(trial, 'maker_b', order);
    for (const by of listeners)
      await trial.party(by).call('order.read', { params: paramsOf(order) });
    await acceptCall(trial, order, placed, 'outsider');
    await acceptCall(trial, order, { quoteId: trial.random.uuid() });
    await cancelCall(trial, order, 'receiver_custodian');
    await trial.target.timeline.sleep(travelMs);
    const end = await trial.party('sender').call('order.read', { params: paramsOf(order) });
    if (!succeeded(end) || end.received + trial.target.clock.offset.most >= (order.expiresAt ?? 0))
      return;
    for (const [index, by] of listeners.entries()) {
      if (!heardSince(trial, by, since)) continue;
      const frames = framesOf(trial, by, order, 'order_updated').slice(before[index] ?? 0);
      trial.judge('event.order-updated.only-on-change', frames.length === 0, {
        message: 'order_updated came though no status had changed.',
        expected: 'no event',
        actual: frames.map(({ data }) => data),
        seen: frames,
      });
    }
  },
});

/** The order that comes after others is told like the first. */
const inARow = defineCheck({
  id: 'event.in-a-row',
  title:
    'Of orders that are cancelled, accepted and cancelled one after the other, each is told to all it concerns.',
  requirements: [
    'event.quote-request-new.to-every-maker',
    'event.order-updated.on-cancel',
    'event.order-updated.on-quoted',
    'event.order-updated.to-sender-custodian',
    'event.quote-received.sent',
  ],
  needs: {
    parties: ['sender', 'sender_custodian', 'maker_a', 'maker_b', 'maker_c'],
    waitMs: travelMs + 4_000,
  },
  async run(trial) {
    const orders: { readonly order: PlacedOrder; readonly accepted: boolean }[] = [];
    for (const accepted of [false, true, false, true, false]) {
      const order = await createOrder(trial);
      const placed = await quote(trial, accepted ? 'maker_b' : 'maker_c', order);
      if (accepted) await accept(trial, order, placed);
      else await cancelling(trial, order);
      orders.push({ order, accepted });
    }
    await trial.target.timeline.sleep(travelMs);
    for (const { order, accepted } of orders) {
      for (const by of makers) {
        const requirement = 'event.quote-request-new.to-every-maker';
        if (namesOrders(trial, makers, 'quote_request_new'))
          judgeTold(trial, order, { by, requirement, event: 'quote_request_new' });
      }
      const match = accepted ? tellsState(order, 'QUOTED') : tellsState(order, 'FAILED', 'EXPIRED');
      const toSender = accepted ? 'event.order-updated.on-quoted' : 'event.order-updated.on-cancel';
      judgeTold(trial, order, {
        by: 'sender',
        requirement: toSender,
        event: 'order_updated',
        match,
      });
      judgeTold(trial, order, {
        by: 'sender_custodian',
        requirement: 'event.order-updated.to-sender-custodian',
        event: 'order_updated',
        match,
      });
      if (namesOrders(trial, ['sender'], 'quote_received')) {
        const requirement = 'event.quote-received.sent';
        judgeTold(trial, order, { by: 'sender', requirement, event: 'quote_received' });
      }
    }
  },
});

export const changeChecks: readonly Check[] = [onlyOnChange, inARow];
