import { type Check, defineCheck } from '../../src/suite/engine/check.ts';
import {
  accept,
  createOrder,
  paramsOf,
  type PlacedOrder,
  quote,
  succeeded,
} from '../../src/suite/actions/index.ts';
import { tryAccept, tryCancel, cancelOrder } from '../shared/order-calls.ts';
import {
  framesOf,
  wasListeningSince,
  assertDelivered,
  makers,
  namesOrders,
  showsState,
} from '../shared/event-delivery.ts';
import { eventLatencyMs } from '../shared/streams.ts';

/** What changes no status tells none: quotes, reads and refused requests on an open order. */
const onlyOnChange = defineCheck({
  id: 'event.order-updated.only-on-change',
  title:
    'Quotes, reads and refused requests leave an order PENDING, and no order_updated tells anything of it.',
  requirements: ['event.order-updated.only-on-change'],
  needs: {
    parties: ['sender', 'outsider', 'sender_custodian', 'receiver_custodian', 'maker_a', 'maker_b'],
    waitMs: 2 * eventLatencyMs,
  },
  async run(t) {
    const order = await createOrder(t);
    // Whether creation itself is told, and a proposal that was accepted, is open.
    await t.target.timeline.sleep(eventLatencyMs);
    const since = t.target.timeline.now();
    const listeners = ['sender', 'sender_custodian'] as const;
    const before = listeners.map((by) => framesOf(t, by, order, 'order_updated').length);
    const placed = await quote(t, 'maker_a', order);
    await quote(t, 'maker_b', order);
    for (const by of listeners) await t.party(by).call('order.read', { params: paramsOf(order) });
    await tryAccept(t, order, placed, 'outsider');
    await tryAccept(t, order, { quoteId: t.random.uuid() });
    await tryCancel(t, order, 'receiver_custodian');
    await t.target.timeline.sleep(eventLatencyMs);
    const end = await t.party('sender').call('order.read', { params: paramsOf(order) });
    if (!succeeded(end) || end.received + t.target.clock.offset.most >= (order.expiresAt ?? 0))
      return;
    for (const [index, by] of listeners.entries()) {
      if (!wasListeningSince(t, by, since)) continue;
      const frames = framesOf(t, by, order, 'order_updated').slice(before[index] ?? 0);
      t.assert('event.order-updated.only-on-change', frames.length === 0, {
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
    waitMs: eventLatencyMs + 4_000,
  },
  async run(t) {
    const orders: { readonly order: PlacedOrder; readonly accepted: boolean }[] = [];
    for (const accepted of [false, true, false, true, false]) {
      const order = await createOrder(t);
      const placed = await quote(t, accepted ? 'maker_b' : 'maker_c', order);
      if (accepted) await accept(t, order, placed);
      else await cancelOrder(t, order);
      orders.push({ order, accepted });
    }
    await t.target.timeline.sleep(eventLatencyMs);
    for (const { order, accepted } of orders) {
      for (const by of makers) {
        const requirement = 'event.quote-request-new.to-every-maker';
        if (namesOrders(t, makers, 'quote_request_new'))
          assertDelivered(t, order, { by, requirement, event: 'quote_request_new' });
      }
      const match = accepted ? showsState(order, 'QUOTED') : showsState(order, 'FAILED', 'EXPIRED');
      const toSender = accepted ? 'event.order-updated.on-quoted' : 'event.order-updated.on-cancel';
      assertDelivered(t, order, {
        by: 'sender',
        requirement: toSender,
        event: 'order_updated',
        match,
      });
      assertDelivered(t, order, {
        by: 'sender_custodian',
        requirement: 'event.order-updated.to-sender-custodian',
        event: 'order_updated',
        match,
      });
      if (namesOrders(t, ['sender'], 'quote_received')) {
        const requirement = 'event.quote-received.sent';
        assertDelivered(t, order, { by: 'sender', requirement, event: 'quote_received' });
      }
    }
  },
});

export const onlyOnChangeChecks: readonly Check[] = [onlyOnChange, inARow];
