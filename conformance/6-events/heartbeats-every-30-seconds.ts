import type { Check } from '../../src/suite/engine/check.ts';
import {
  createOrder,
  type PlacedOrder,
  quote,
  remainingMs,
} from '../../src/suite/actions/index.ts';
import { openSecondStream, requireStreamLasted, resumePoint } from '../shared/streams.ts';
import { rows } from '../shared/check-table.ts';
import { needsOf } from '../shared/waits.ts';

/** Two intervals and the lateness of a timer, so that two heartbeats come at any phase. */
const listenMs = 64_500;

/** 6: a stream carries a heartbeat every 30 seconds, also one limited to an order that is left alone. */
const quietOrders = (['sender', 'sender_custodian', 'outsider'] as const).map<Check>((by) => ({
  id: `stream.heartbeats.quiet.${by}`,
  title: `A stream of ${by} limited to an order that is left alone stays open and has its heartbeats.`,
  requirements: [
    'stream.stays-open',
    'event.heartbeat.order-stream',
    'limit.heartbeat-interval.order-stream',
  ],
  needs: { parties: ['sender', by], waitMs: listenMs },
  async run(t) {
    const order = await createOrder(t, {}, { by: by === 'outsider' ? by : 'sender' });
    const stream = await openSecondStream(t, by, { intentId: order.intentId });
    await t.target.timeline.sleep(listenMs);
    requireStreamLasted(t, stream);
  },
}));

/** 6: a stream that opens late in the run has its heartbeats as well. */
const unlimited = rows(
  { by: 'outsider_custodian', afterMs: 0 },
  { by: 'maker_c', afterMs: 14_000 },
).map<Check>(({ by, afterMs }) => ({
  id: `stream.heartbeats.${by}`,
  title: `A second stream of ${by}, opened ${afterMs / 1000} s into the run, stays open and has its heartbeats.`,
  requirements: [
    'stream.stays-open',
    'event.heartbeat.maker-stream',
    'limit.heartbeat-interval.maker-stream',
  ],
  needs: { parties: [by], waitMs: listenMs + afterMs },
  async run(t) {
    await t.target.timeline.sleep(afterMs);
    const stream = await openSecondStream(t, by);
    await t.target.timeline.sleep(listenMs);
    requireStreamLasted(t, stream);
  },
}));

/**
 * 6: a stream has its heartbeats while other events come. Quotes they are, since no other maker gets those: the streams
 * of makers must have their silence in the same run.
 */
const busy: Check = {
  id: 'stream.heartbeats.busy',
  title:
    'While a quote comes every few seconds, the stream of the sender stays open and has its heartbeats.',
  requirements: ['stream.stays-open', 'event.heartbeat.during-traffic'],
  needs: { parties: ['sender', 'maker_a'], waitMs: listenMs },
  async run(t) {
    const { timeline } = t.target;
    const { events } = t.party('sender');
    const { opened } = events;
    const end = timeline.now() + listenMs;
    const orders: PlacedOrder[] = [];
    for (let n = 0; n < 7; n += 1) orders.push(await createOrder(t));
    for (const order of orders) {
      // If orders expire before the loop ends, the rest of it is quieter.
      const open = (remainingMs(t, order) ?? 0) > 3_000;
      if (open) await quote(t, 'maker_a', order);
      await timeline.sleep(8_000);
    }
    await timeline.until(end);
    requireStreamLasted(t, events, opened);
  },
};

/**
 * 6: a stream that was resumed has its heartbeats. One of the sender would carry the whole run for a minute, and is
 * limited to an order of its own.
 */
const returned = rows(
  { by: 'sender', creator: 'sender', isLimited: true },
  { by: 'outsider', creator: 'outsider', isLimited: false },
  { by: 'maker_b', creator: 'sender', isLimited: false },
).map<Check>(({ by, creator, isLimited }) => ({
  id: `stream.heartbeats.returned.${by}`,
  title: `A stream of ${by}${isLimited ? ', limited to one order,' : ''} that is opened again where it left off stays open and has its heartbeats.`,
  requirements: ['stream.stays-open'],
  needs: needsOf(listenMs + 1_000, creator, by, 'maker_a'),
  async run(t) {
    const early = isLimited ? undefined : await openSecondStream(t, by);
    const order = await createOrder(t, {}, { by: creator });
    const limit = isLimited ? { intentId: order.intentId } : {};
    const first = early ?? (await openSecondStream(t, by, limit));
    await quote(t, 'maker_a', order);
    await t.target.timeline.sleep(1_000);
    await first.close();
    const again = await openSecondStream(t, by, { ...limit, ...resumePoint(first) });
    await t.target.timeline.sleep(listenMs);
    requireStreamLasted(t, again);
  },
}));

export const heartbeatChecks: readonly Check[] = [...quietOrders, ...unlimited, busy, ...returned];
