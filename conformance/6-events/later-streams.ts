import type { Check } from '../../src/suite/engine/check.ts';
import {
  createOrder,
  type PlacedOrder,
  remainingMs,
  readOrder,
} from '../../src/suite/actions/orders.ts';
import { quote, accept } from '../../src/suite/actions/quotes.ts';
import { awaitStatus } from '../../src/suite/actions/await-state-or-event.ts';
import { isRefusal } from '../../src/protocol/answers.ts';
import {
  openSecondStream,
  requireStreamLasted,
  resumePoint,
  awaitEvents,
  eventLatencyMs,
  afterStartRushMs,
  awaitEndAndEvents,
} from '../shared/order-states.ts';
import { rows, needsOf, settlementTimeoutMs, waits } from '../shared/waits.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { cancelOrder, tryCancel } from '../shared/order-life.ts';
import { terminalOrderStates } from '../../src/spec/states.ts';

/** Two intervals and the lateness of a timer, so that two heartbeats come at any phase. */
const listenMs = 64_500;

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

interface Return {
  readonly by: CastName;
  /** Creator of the order whose events give the stream its resume point. The stream may be limited to this order. */
  readonly creator: 'sender' | 'outsider';
  readonly isLimited: boolean;
  readonly requirements: readonly RequirementId[];
}

const only = 'stream.intent-filter.only-that-order';

const returns: readonly Return[] = [
  { by: 'sender', creator: 'sender', isLimited: true, requirements: [only] },
  { by: 'sender_custodian', creator: 'sender', isLimited: true, requirements: [only] },
  {
    by: 'outsider',
    creator: 'outsider',
    isLimited: false,
    requirements: ['event.order-updated.not-to-strangers', 'event.quote-received.not-to-strangers'],
  },
  {
    by: 'receiver_custodian',
    creator: 'sender',
    isLimited: false,
    requirements: ['event.quote-received.not-to-receiver-custodian'],
  },
  {
    by: 'maker_b',
    creator: 'sender',
    isLimited: false,
    requirements: [
      'event.quote-accepted.not-to-others',
      'event.settlement-completed.not-to-others',
    ],
  },
];

/**
 * 6: the document leaves open if a client can resume. A resumed stream must not carry events for other parties. While
 * the stream is closed, an order of the sender has its whole life.
 */
export const resumedChecks = returns.map<Check>(({ by, creator, isLimited, requirements }) => ({
  id: `stream.resumed.${by}`,
  title: `A stream of ${by}${isLimited ? ', limited to one order,' : ''} that is opened again where it left off carries nothing that was not for it.`,
  requirements,
  needs: needsOf(waits.settlement + 3 * eventLatencyMs, 'sender', creator, by, 'maker_a'),
  async run(t) {
    const early = isLimited ? undefined : await openSecondStream(t, by);
    const own = await createOrder(t, {}, { by: creator });
    const limit = isLimited ? { intentId: own.intentId } : {};
    const first = early ?? (await openSecondStream(t, by, limit));
    await quote(t, 'maker_a', own);
    await t.target.timeline.sleep(eventLatencyMs);
    await first.close();
    const other = await createOrder(t);
    await accept(t, other, await quote(t, 'maker_a', other));
    await awaitStatus(t, other, terminalOrderStates, settlementTimeoutMs);
    const again = await openSecondStream(t, by, { ...limit, ...resumePoint(first) });
    await cancelOrder(t, own, creator);
    await awaitEvents(t, own, creator);
    requireStreamLasted(t, again);
  },
}));

const limitOf = (by: CastName): RequirementId =>
  by === 'sender_custodian'
    ? 'stream.intent-filter.for-custodian'
    : 'stream.intent-filter.all-of-that-order';

/** Time must pass between the acceptance and the stream: one that opens at that very moment is none that comes late. */
const laterMs = 1_000;

/**
 * 6: a stream that opens in the middle of an order's life carries the rest of it, as others of its party do; on the order
 * side, so does one that is opened again after it.
 */
const settlements = rows(
  { by: 'maker_a', maker: 'maker_a' },
  { by: 'maker_c', maker: 'maker_c' },
  { by: 'sender', maker: 'maker_a' },
  { by: 'sender_custodian', maker: 'maker_a' },
).map<Check>(({ by, maker }) => {
  const isMaker = by === maker;
  return {
    id: `stream.late.${by}`,
    title: `A stream that ${by} opens between an acceptance and the settlement carries that${isMaker ? '' : ', limited to the order or not; opened again, it goes on'}.`,
    requirements: isMaker
      ? ['event.every-open-stream']
      : ['stream.unfiltered-has-all', limitOf(by)],
    needs: needsOf(
      afterStartRushMs + 2 * waits.settlement + 2 * eventLatencyMs,
      'sender',
      by,
      maker,
    ),
    async run(t) {
      await t.target.timeline.sleep(afterStartRushMs);
      const order = await createOrder(t);
      await accept(t, order, await quote(t, maker, order));
      await t.target.timeline.sleep(laterMs);
      const first = await openSecondStream(t, by);
      if (!isMaker) await openSecondStream(t, by, { intentId: order.intentId });
      // If the order is not SETTLED yet, its settlement comes after the opening.
      await readOrder(t, order);
      await awaitEndAndEvents(t, order);
      requireStreamLasted(t, first);
      if (isMaker) return;
      await first.close();
      const next = await createOrder(t);
      const again = await openSecondStream(t, by, resumePoint(first));
      await accept(t, next, await quote(t, maker, next));
      await awaitEndAndEvents(t, next);
      requireStreamLasted(t, again);
    },
  };
});

/** 6: a stream limited to a QUOTED order carries its cancel. One that is EXECUTING is past cancelling. */
const cancels = (['sender', 'sender_custodian'] as const).map<Check>((by) => ({
  id: `stream.late.cancel.${by}`,
  title: `A stream of ${by} that is limited to a QUOTED order carries the end that a cancel brings.`,
  requirements: [limitOf(by)],
  needs: needsOf(2 * eventLatencyMs, 'sender', by, 'maker_a'),
  async run(t) {
    const order = await createOrder(t);
    await accept(t, order, await quote(t, 'maker_a', order));
    const stream = await openSecondStream(t, by, { intentId: order.intentId });
    await readOrder(t, order);
    const cancelled = await tryCancel(t, order);
    if (isRefusal(cancelled)) return t.outOfScope('the order was past cancelling by then');
    await readOrder(t, order);
    await awaitEvents(t, order);
    requireStreamLasted(t, stream);
  },
}));

export const lateStreamChecks: readonly Check[] = [...settlements, ...cancels];
