import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import {
  accept,
  createOrder,
  quote,
  readOrder,
  succeeded,
  targetNow,
} from '../../src/suite/actions/index.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { cancelOrder } from '../shared/order-calls.ts';
import { needsOf, waits } from '../shared/waits.ts';
import {
  awaitEndAndEvents,
  awaitEvents,
  eventLatencyMs,
  openSecondStream,
  requireSeveralStreams,
  requireStreamLasted,
} from '../shared/streams.ts';

const listeners = ['sender', 'sender_custodian'] as const;

const requirementsFor = (by: CastName): readonly RequirementId[] => [
  'stream.intent-filter.only-that-order',
  by === 'sender_custodian'
    ? 'stream.intent-filter.for-custodian'
    : 'stream.intent-filter.all-of-that-order',
];

/**
 * A rate that no other quote of a run has: it may be the only field that identifies the order (gap `event.payload`).
 */
const ownRate = ({ random }: CheckContext): string => `1.0${random.digits(7)}`;

/** 6: of two orders that go the same way at the same time, each limited stream carries its own. */
const side = listeners.map<Check>((by) => ({
  id: `stream.filter.two-orders.${by}`,
  title: `Of two orders that are quoted and settle, each limited stream of ${by} carries all of its own and nothing of the other.`,
  requirements: requirementsFor(by),
  needs: needsOf(waits.settlement + eventLatencyMs, 'sender', by, 'maker_a', 'maker_b'),
  async run(t) {
    const [first, second] = [await createOrder(t), await createOrder(t)];
    const streams = [
      await openSecondStream(t, by, { intentId: first.intentId }),
      await openSecondStream(t, by, { intentId: second.intentId }),
    ];
    const won = await quote(t, 'maker_a', first, { rate: ownRate(t) });
    const other = await quote(t, 'maker_b', second, { rate: ownRate(t) });
    await quote(t, 'maker_b', first, { rate: ownRate(t) });
    await accept(t, second, other);
    await accept(t, first, won, by);
    for (const order of [first, second]) await awaitEndAndEvents(t, order);
    for (const stream of streams) requireStreamLasted(t, stream);
  },
}));

/** 6: of two orders that are cancelled, a stream limited to one carries its quote and its end. */
const cancels = listeners.map<Check>((by) => ({
  id: `stream.filter.cancel.${by}`,
  title: `Of two orders that are cancelled, the limited stream of ${by} carries the one, its quote and its end.`,
  requirements: requirementsFor(by),
  needs: needsOf(eventLatencyMs + 4_000, 'sender', by, 'maker_a', 'maker_c'),
  async run(t) {
    const [other, order] = [await createOrder(t), await createOrder(t)];
    const stream = await openSecondStream(t, by, { intentId: order.intentId });
    await quote(t, 'maker_c', order, { rate: ownRate(t) });
    await quote(t, 'maker_a', other, { rate: ownRate(t) });
    for (const one of [other, order]) await cancelOrder(t, one);
    await awaitEndAndEvents(t, order, eventLatencyMs);
    requireStreamLasted(t, stream);
  },
}));

/** 6: of two orders that expire, a stream limited to one carries its end, however late in its life it opened. */
const expiries = listeners
  .flatMap((by) => [
    { by, id: 'filter', opened: 'at once' } as const,
    { by, id: 'late', opened: 'in the middle of its life' } as const,
  ])
  .map<Check>(({ by, id, opened }) => ({
    id: `stream.${id}.expiry.${by}`,
    title: `Of two orders that expire, the limited stream of ${by}, opened ${opened}, carries the one.`,
    requirements: requirementsFor(by),
    needs: needsOf(waits.orderExpiry + eventLatencyMs, 'sender', by, 'maker_a'),
    async run(t) {
      const [order, other] = [await createOrder(t), await createOrder(t)];
      const { expiresAt } = other;
      if (expiresAt === undefined) return t.notExercised('the order carries no deadline');
      const left = expiresAt - targetNow(t).earliest;
      t.allowWait(left + 2 * eventLatencyMs, "this target's orders' life");
      if (id === 'late') await t.target.timeline.sleep(Math.max(0, Math.round(left / 2)));
      const stream = await openSecondStream(t, by, { intentId: order.intentId });
      await readOrder(t, order);
      await quote(t, 'maker_a', other, { rate: ownRate(t) });
      const ended = await awaitEndAndEvents(t, other, left + eventLatencyMs);
      if (!ended) return t.notExercised('the younger of the two orders did not end');
      await readOrder(t, order);
      requireStreamLasted(t, stream);
    },
  }));

/** Beyond caches and sessions of ten minutes. */
const longAfterMs = 11 * 60_000;

/** 6: a stream keeps its limit as long as it is open, also after its order has ended. */
const longAfter = listeners.map<Check>((by) => ({
  id: `stream.filter.long-after.${by}`,
  title: `A stream of ${by} that was limited to one order eleven minutes ago carries nothing of a new one.`,
  requirements: ['stream.intent-filter.only-that-order'],
  needs: needsOf(longAfterMs + eventLatencyMs, 'sender', by, 'maker_a'),
  async run(t) {
    const order = await createOrder(t);
    const stream = await openSecondStream(t, by, { intentId: order.intentId });
    await t.target.timeline.sleep(longAfterMs);
    const other = await createOrder(t);
    await quote(t, 'maker_a', other, { rate: ownRate(t) });
    await cancelOrder(t, other);
    await awaitEvents(t, other, by);
    if (!stream.isOpen) t.notExercised('the stream ended before the new order', [stream.opened]);
  },
}));

/** 6: a stream limited to another party's order is refused, or carries only events for its own party. */
const foreign = (['outsider', 'outsider_custodian', 'receiver_custodian'] as const).map<Check>(
  (by) => ({
    id: `stream.filter.foreign.${by}`,
    title: `A stream of ${by} limited to an order that is not its own is refused, or carries nothing that is not for it.`,
    requirements:
      by === 'receiver_custodian'
        ? ['event.quote-received.not-to-receiver-custodian']
        : ['event.order-updated.not-to-strangers', 'event.quote-received.not-to-strangers'],
    needs: { parties: ['sender', 'maker_a', by], waitMs: waits.settlement + eventLatencyMs },
    async run(t) {
      requireSeveralStreams(t);
      const order = await createOrder(t);
      const stream = await t.party(by).listen({ intentId: order.intentId });
      await accept(t, order, await quote(t, 'maker_a', order));
      await awaitEndAndEvents(t, order);
      if (succeeded(stream.opened)) requireStreamLasted(t, stream);
    },
  }),
);

export const limitedStreamChecks: readonly Check[] = [
  ...side,
  ...cancels,
  ...expiries,
  ...longAfter,
  ...foreign,
];
