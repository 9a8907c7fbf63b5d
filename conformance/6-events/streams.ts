import type { Check, CheckContext } from '../../src/suite/engine/check.ts';
import { accept, quote } from '../../src/suite/actions/quotes.ts';
import { createOrder, readOrder } from '../../src/suite/actions/orders.ts';
import { succeeded } from '../../src/protocol/answers.ts';
import { targetNow } from '../../src/suite/actions/context.ts';
import { type CastName, castNames, type RequirementId } from '../../src/spec/requirements/index.ts';
import { cancelOrder } from '../shared/order-life.ts';
import { needsOf, waits, rows } from '../shared/waits.ts';
import {
  afterStartRushMs,
  awaitEndAndEvents,
  awaitEvents,
  eventLatencyMs,
  isEventOf,
  openSecondStream,
  requireStreamLasted,
  requireSeveralStreams,
} from '../shared/order-states.ts';

/** 6: each role has a stream. Whether custodians have one is contradicted by 1.4 (gap `access.custodian_extras`). */
const opens = castNames.map<Check>((by: CastName) => ({
  id: `stream.opens.${by}`,
  title: `The stream of ${by} opens, and is open still after some seconds.`,
  requirements: ['stream.opens', 'stream.stays-open'],
  needs: { parties: [by], waitMs: 5_000 },
  async run(t) {
    const { events, role } = t.party(by);
    const { opened } = events;
    const isOpened = succeeded(opened) || events.frames.length > 0;
    if (!isOpened && role === 'custodian' && opened.response) {
      return t.outOfScope('custodians have no stream here (gap access.custodian_extras)');
    }
    t.assert('stream.opens', isOpened, {
      message: 'A party could not open its stream.',
      actual: opened.response?.status ?? opened.error?.code,
      seen: [opened],
    });
    if (isOpened) await t.target.timeline.sleep(5_000);
  },
}));

const orderSide = (['sender', 'sender_custodian'] as const).map<Check>((by) => ({
  id: `stream.several.${by}`,
  title: `Three streams of ${by}, one of them limited to the order, each carry its quotes and every change of it.`,
  requirements: ['event.every-open-stream', 'stream.unfiltered-has-all'],
  needs: needsOf(
    afterStartRushMs + waits.settlement + eventLatencyMs,
    'sender',
    by,
    'maker_a',
    'maker_b',
  ),
  async run(t) {
    await t.target.timeline.sleep(afterStartRushMs);
    const order = await createOrder(t);
    const own = await openSecondStream(t, by);
    const limited = await openSecondStream(t, by, { intentId: order.intentId });
    await quote(t, 'maker_b', order);
    await accept(t, order, await quote(t, 'maker_a', order), by);
    await awaitEndAndEvents(t, order);
    for (const stream of [own, limited]) requireStreamLasted(t, stream);
  },
}));

const makerSide = rows(
  { by: 'maker_a', acceptedBy: 'sender' },
  { by: 'maker_c', acceptedBy: 'sender_custodian' },
).map<Check>(({ by, acceptedBy }) => ({
  id: `stream.several.${by}`,
  title: `Two streams of ${by} each carry a request, a selection that ${acceptedBy} made, and the settlement.`,
  requirements: ['event.every-open-stream'],
  needs: needsOf(afterStartRushMs + 2 * waits.settlement, 'sender', acceptedBy, by, 'maker_b'),
  async run(t) {
    await t.target.timeline.sleep(afterStartRushMs);
    const second = await openSecondStream(t, by);
    const won = await createOrder(t);
    const lost = await createOrder(t);
    const placed = await quote(t, by, won);
    await quote(t, by, lost);
    const rival = await quote(t, 'maker_b', lost);
    await accept(t, won, placed, acceptedBy);
    await accept(t, lost, rival, acceptedBy);
    await awaitEndAndEvents(t, won);
    requireStreamLasted(t, second);
  },
}));

const closing: Check = {
  id: 'stream.closing-one',
  title: 'When one of two streams of a party is closed, the other goes on.',
  requirements: ['event.order-updated.on-cancel', 'event.quote-request-new.sent'],
  needs: { parties: ['sender', 'maker_b'], waitMs: afterStartRushMs + 2 * eventLatencyMs + 4_000 },
  async run(t) {
    await t.target.timeline.sleep(afterStartRushMs);
    const [mine, theirs] = [
      await openSecondStream(t, 'sender'),
      await openSecondStream(t, 'maker_b'),
    ];
    for (const stream of [mine, theirs]) await stream.close();
    const order = await createOrder(t);
    // A request may reach makers a while after its order. If the order was cancelled by then, it may never reach them.
    const latest = t.target.timeline.now() + eventLatencyMs;
    await t.party('maker_b').events.find(isEventOf(order, 'quote_request_new'), latest);
    await t.party('maker_b').call('rfq.read', { params: { intent_id: order.intentId } });
    await cancelOrder(t, order);
    await awaitEvents(t, order);
  },
};

export const parallelStreamChecks: readonly Check[] = [
  ...opens,
  ...orderSide,
  ...makerSide,
  closing,
];

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

const cancels = listeners.map<Check>((by) => ({
  id: `stream.filter.cancel.${by}`,
  title: `Of two orders that are cancelled, two streams of ${by} limited to the one each carry it, its quote and its end.`,
  requirements: [...requirementsFor(by), 'event.every-open-stream'],
  needs: needsOf(eventLatencyMs + 4_000, 'sender', by, 'maker_a', 'maker_c'),
  async run(t) {
    const [other, order] = [await createOrder(t), await createOrder(t)];
    const { intentId } = order;
    const streams = [
      await openSecondStream(t, by, { intentId }),
      await openSecondStream(t, by, { intentId }),
    ];
    await quote(t, 'maker_c', order, { rate: ownRate(t) });
    await quote(t, 'maker_a', other, { rate: ownRate(t) });
    for (const one of [other, order]) await cancelOrder(t, one);
    await awaitEndAndEvents(t, order, eventLatencyMs);
    for (const stream of streams) requireStreamLasted(t, stream);
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
