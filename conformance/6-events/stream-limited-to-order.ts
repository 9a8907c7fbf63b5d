import type { EventStream } from '../../src/client/contract.ts';
import { type Check, defineCheck, type CheckContext } from '../../src/suite/engine/check.ts';
import {
  accept,
  awaitStatus,
  createOrder,
  isByUndeclaredMaker,
  type PlacedOrder,
  quote,
  succeeded,
  targetNow,
} from '../../src/suite/actions/index.ts';
import { payloadOf } from '../../src/protocol/event-payload.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { stateInUpdate } from '../shared/order-updates.ts';
import { cancelOrder } from '../shared/order-calls.ts';
import { each } from '../shared/check-table.ts';
import { settlementTimeoutMs, waits } from '../shared/waits.ts';
import { terminalOrderStates } from '../../src/spec/states.ts';
import {
  isHeartbeat,
  isEventOf,
  requireSeveralStreams,
  requireStreamLasted,
  openSecondStream,
  orderIdIn,
  textInFrame,
  eventLatencyMs,
} from '../shared/streams.ts';

const aboutOf = (by: CastName): RequirementId =>
  by === 'sender_custodian'
    ? 'stream.intent-filter.for-custodian'
    : 'stream.intent-filter.all-of-that-order';

const only = 'stream.intent-filter.only-that-order';

/** Judges that a limited stream carried nothing of another order. */
function assertOnly(t: CheckContext, stream: EventStream, order: PlacedOrder): void {
  const foreign = stream.frames.filter((frame) => {
    const named = orderIdIn(frame);
    return !isHeartbeat(frame) && named !== undefined && named !== order.intentId.toLowerCase();
  });
  t.assert(only, foreign.length === 0, {
    message: 'A stream limited to one order carried events of another.',
    expected: order.intentId,
    actual: foreign.map((frame) => ({ event: frame.event, intent_id: orderIdIn(frame) })),
    seen: [stream.opened, ...foreign.slice(0, 3)],
  });
}

/** Judges that a limited stream told each of some states of its order. */
function assertDelivered(
  t: CheckContext,
  requirement: RequirementId,
  stream: EventStream,
  order: PlacedOrder,
  states: readonly (readonly string[])[],
): void {
  for (const anyOf of states) {
    const frame = stream.frames.find((one) => anyOf.includes(stateInUpdate(one, order) ?? ''));
    t.assert(requirement, frame !== undefined, {
      message: `A stream limited to one order did not tell that it became ${anyOf.join(' or ')}.`,
      expected: { event: 'order_updated', status: anyOf.join(' or ') },
      actual: stream.frames.filter((one) => !isHeartbeat(one)).map(({ event }) => event),
      seen: [stream.opened],
    });
  }
}

/** Judges that a limited stream told so many quotes: fewer left some out, more were another order's. */
function assertQuotes(
  t: CheckContext,
  requirement: RequirementId,
  stream: EventStream,
  count: number,
): void {
  const frames = stream.frames.filter(
    (frame) => frame.event === 'quote_received' && !isByUndeclaredMaker(t, payloadOf(frame) ?? {}),
  );
  // Payloads may have no ids. A quote that is told twice is one quote, and another requirement's matter.
  const ids = frames.map((frame) => textInFrame(frame, 'quote_id'));
  const different = ids.every((id) => id !== undefined) ? new Set(ids).size : frames.length;
  const evidence = { expected: count, actual: different, seen: [stream.opened, ...frames] };
  t.assert(requirement, different >= count, {
    message: 'A stream limited to one order did not tell all quotes on it.',
    ...evidence,
  });
  t.assert(only, different <= count, {
    message: 'A stream limited to one order told of more quotes than it has.',
    ...evidence,
  });
}

/** Waits until orders have ended; answers whether all have settled. One accepted late may not have, rightly. */
async function settle(t: CheckContext, orders: readonly PlacedOrder[]): Promise<boolean> {
  let haveSettled = true;
  for (const order of orders) {
    const ended = await awaitStatus(t, order, terminalOrderStates, settlementTimeoutMs);
    haveSettled &&= ended?.status === 'SETTLED';
  }
  await t.target.timeline.sleep(eventLatencyMs);
  return haveSettled;
}

const listeners = ['sender', 'sender_custodian'] as const;

/** Two orders go the same way at the same time; each of two limited streams tells of its own. */
const side = each(listeners, (by) =>
  defineCheck({
    id: `stream.filter.two-orders.${by}`,
    title: `Of two orders that are quoted and settle, each limited stream of ${by} tells all of its own and nothing of the other.`,
    requirements: [only, aboutOf(by)],
    needs: {
      parties: [...new Set<CastName>(['sender', by, 'maker_a', 'maker_b'])],
      waitMs: waits.settlement + eventLatencyMs,
    },
    async run(t) {
      const first = await createOrder(t);
      const second = await createOrder(t);
      const streams = [
        {
          order: first,
          quotes: 2,
          stream: await openSecondStream(t, by, { intentId: first.intentId }),
        },
        {
          order: second,
          quotes: 1,
          stream: await openSecondStream(t, by, { intentId: second.intentId }),
        },
      ];
      const won = await quote(t, 'maker_a', first);
      const other = await quote(t, 'maker_b', second);
      await quote(t, 'maker_b', first);
      await accept(t, second, other);
      await accept(t, first, won, by);
      const haveSettled = await settle(t, [first, second]);
      const states = haveSettled ? [['QUOTED'], ['EXECUTING'], ['SETTLED']] : [['QUOTED']];
      for (const { order, quotes, stream } of streams) {
        requireStreamLasted(t, stream);
        assertOnly(t, stream, order);
        assertDelivered(t, aboutOf(by), stream, order, states);
        assertQuotes(t, aboutOf(by), stream, quotes);
      }
    },
  }),
);

const cancels = each(listeners, (by) =>
  defineCheck({
    id: `stream.filter.cancel.${by}`,
    title: `Of two orders that are cancelled, the limited stream of ${by} tells the one, its quote and its end.`,
    requirements: [only, aboutOf(by)],
    needs: {
      parties: [...new Set<CastName>(['sender', by, 'maker_a', 'maker_c'])],
      waitMs: eventLatencyMs + 4_000,
    },
    async run(t) {
      const other = await createOrder(t);
      const order = await createOrder(t);
      const stream = await openSecondStream(t, by, { intentId: order.intentId });
      await quote(t, 'maker_c', order);
      await quote(t, 'maker_a', other);
      await cancelOrder(t, other);
      await cancelOrder(t, order);
      await t.target.timeline.sleep(eventLatencyMs);
      requireStreamLasted(t, stream);
      assertOnly(t, stream, order);
      assertDelivered(t, aboutOf(by), stream, order, [['FAILED', 'EXPIRED']]);
      assertQuotes(t, aboutOf(by), stream, 1);
    },
  }),
);

const expiries = each(listeners, (by) =>
  defineCheck({
    id: `stream.filter.expiry.${by}`,
    title: `Of two orders that expire, the limited stream of ${by} tells the one.`,
    requirements: [only, aboutOf(by)],
    needs: {
      parties: [...new Set<CastName>(['sender', by, 'maker_a'])],
      waitMs: waits.orderExpiry + eventLatencyMs,
    },
    async run(t) {
      const order = await createOrder(t);
      const other = await createOrder(t);
      const { expiresAt } = other;
      if (expiresAt === undefined) return t.notExercised('the order carries no deadline');
      const left = expiresAt - targetNow(t).earliest;
      t.allowWait(left + 2 * eventLatencyMs, "this target's orders' life");
      const stream = await openSecondStream(t, by, { intentId: order.intentId });
      await quote(t, 'maker_a', other);
      const ended = await awaitStatus(t, other, terminalOrderStates, left + eventLatencyMs);
      if (!ended) return t.notExercised('the younger of the two orders did not end');
      await t.target.timeline.sleep(eventLatencyMs);
      requireStreamLasted(t, stream);
      assertOnly(t, stream, order);
      assertDelivered(t, aboutOf(by), stream, order, [['EXPIRED']]);
    },
  }),
);

/** A stream limited to somebody else's order is refused or silent: it tells a stranger nothing. */
const foreign = each(
  [
    {
      by: 'outsider',
      requirements: [
        'event.order-updated.not-to-strangers',
        'event.quote-received.not-to-strangers',
      ],
      barred: ['order_updated', 'quote_received'],
    },
    {
      by: 'outsider_custodian',
      requirements: [
        'event.order-updated.not-to-strangers',
        'event.quote-received.not-to-strangers',
      ],
      barred: ['order_updated', 'quote_received'],
    },
    {
      by: 'receiver_custodian',
      requirements: ['event.quote-received.not-to-receiver-custodian'],
      barred: ['quote_received'],
    },
  ] as const,
  ({ by, requirements, barred }) =>
    defineCheck({
      id: `stream.filter.foreign.${by}`,
      title: `A stream of ${by} limited to an order that is not its own is refused, or tells nothing that is not for it.`,
      requirements,
      needs: { parties: ['sender', 'maker_a', by], waitMs: waits.settlement + eventLatencyMs },
      async run(t) {
        requireSeveralStreams(t);
        const order = await createOrder(t);
        const stream = await t.party(by).listen({ intentId: order.intentId });
        await accept(t, order, await quote(t, 'maker_a', order));
        await settle(t, [order]);
        if (succeeded(stream.opened)) requireStreamLasted(t, stream);
        for (const [index, requirement] of requirements.entries()) {
          const event = barred[index] ?? '';
          const frames = stream.frames.filter(
            (frame) =>
              frame.event === event && (orderIdIn(frame) === undefined || isEventOf(order)(frame)),
          );
          t.assert(requirement, frames.length === 0, {
            message: `${by} was told ${event} of an order on a stream limited to it.`,
            expected: 'nothing',
            actual: frames.map(({ data }) => data),
            seen: [stream.opened, ...frames],
          });
        }
      },
    }),
);

export const limitedStreamChecks: readonly Check[] = [...side, ...cancels, ...expiries, ...foreign];
