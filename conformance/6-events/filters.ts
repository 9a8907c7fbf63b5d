import type { EventStream } from '../../src/client/contract.ts';
import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  accept,
  awaitStatus,
  createOrder,
  isOfStranger,
  type PlacedOrder,
  quote,
  succeeded,
  targetNow,
} from '../../src/conformance/moves/index.ts';
import { payloadOf } from '../../src/history/payload.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { stateTold } from '../3-states/told.ts';
import { cancelling, each, settlementPatienceMs, terminal, waits } from '../3-states/words.ts';
import {
  isHeartbeat,
  isOf,
  mayOpenAnother,
  mustLast,
  openAnother,
  orderOf,
  told,
  travelMs,
} from './listening.ts';

const aboutOf = (by: CastName): RequirementId =>
  by === 'sender_custodian'
    ? 'stream.intent-filter.for-custodian'
    : 'stream.intent-filter.all-of-that-order';

const only = 'stream.intent-filter.only-that-order';

/** Judges that a limited stream carried nothing of another order. */
function judgeOnly(trial: Trial, stream: EventStream, order: PlacedOrder): void {
  const foreign = stream.frames.filter((frame) => {
    const named = orderOf(frame);
    return !isHeartbeat(frame) && named !== undefined && named !== order.intentId.toLowerCase();
  });
  trial.judge(only, foreign.length === 0, {
    message: 'A stream limited to one order carried events of another.',
    expected: order.intentId,
    actual: foreign.map((frame) => ({ event: frame.event, intent_id: orderOf(frame) })),
    seen: [stream.opened, ...foreign.slice(0, 3)],
  });
}

/** Judges that a limited stream told each of some states of its order. */
function judgeTold(
  trial: Trial,
  requirement: RequirementId,
  stream: EventStream,
  order: PlacedOrder,
  states: readonly (readonly string[])[],
): void {
  for (const anyOf of states) {
    const frame = stream.frames.find((one) => anyOf.includes(stateTold(one, order) ?? ''));
    trial.judge(requirement, frame !== undefined, {
      message: `A stream limited to one order did not tell that it became ${anyOf.join(' or ')}.`,
      expected: { event: 'order_updated', status: anyOf.join(' or ') },
      actual: stream.frames.filter((one) => !isHeartbeat(one)).map(({ event }) => event),
      seen: [stream.opened],
    });
  }
}

/** Judges that a limited stream told so many quotes: fewer left some out, more were another order's. */
function judgeQuotes(
  trial: Trial,
  requirement: RequirementId,
  stream: EventStream,
  count: number,
): void {
  const frames = stream.frames.filter(
    (frame) => frame.event === 'quote_received' && !isOfStranger(trial, payloadOf(frame) ?? {}),
  );
  // Payloads may have no ids. A quote that is told twice is one quote, and another requirement's matter.
  const ids = frames.map((frame) => told(frame, 'quote_id'));
  const different = ids.every((id) => id !== undefined) ? new Set(ids).size : frames.length;
  const evidence = { expected: count, actual: different, seen: [stream.opened, ...frames] };
  trial.judge(requirement, different >= count, {
    message: 'A stream limited to one order did not tell all quotes on it.',
    ...evidence,
  });
  trial.judge(only, different <= count, {
    message: 'A stream limited to one order told of more quotes than it has.',
    ...evidence,
  });
}

/** Waits until orders have ended; answers whether all have settled. One accepted late may not have, rightly. */
async function settle(trial: Trial, orders: readonly PlacedOrder[]): Promise<boolean> {
  let haveSettled = true;
  for (const order of orders) {
    const ended = await awaitStatus(trial, order, terminal, settlementPatienceMs);
    haveSettled &&= ended?.status === 'SETTLED';
  }
  await trial.target.timeline.sleep(travelMs);
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
      waitMs: waits.settlement + travelMs,
    },
    async run(trial) {
      const first = await createOrder(trial);
      const second = await createOrder(trial);
      const streams = [
        {
          order: first,
          quotes: 2,
          stream: await openAnother(trial, by, { intentId: first.intentId }),
        },
        {
          order: second,
          quotes: 1,
          stream: await openAnother(trial, by, { intentId: second.intentId }),
        },
      ];
      const won = await quote(trial, 'maker_a', first);
      const other = await quote(trial, 'maker_b', second);
      await quote(trial, 'maker_b', first);
      await accept(trial, second, other);
      await accept(trial, first, won, by);
      const haveSettled = await settle(trial, [first, second]);
      const states = haveSettled ? [['QUOTED'], ['EXECUTING'], ['SETTLED']] : [['QUOTED']];
      for (const { order, quotes, stream } of streams) {
        mustLast(trial, stream);
        judgeOnly(trial, stream, order);
        judgeTold(trial, aboutOf(by), stream, order, states);
        judgeQuotes(trial, aboutOf(by), stream, quotes);
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
      waitMs: travelMs + 4_000,
    },
    async run(trial) {
      const other = await createOrder(trial);
      const order = await createOrder(trial);
      const stream = await openAnother(trial, by, { intentId: order.intentId });
      await quote(trial, 'maker_c', order);
      await quote(trial, 'maker_a', other);
      await cancelling(trial, other);
      await cancelling(trial, order);
      await trial.target.timeline.sleep(travelMs);
      mustLast(trial, stream);
      judgeOnly(trial, stream, order);
      judgeTold(trial, aboutOf(by), stream, order, [['FAILED', 'EXPIRED']]);
      judgeQuotes(trial, aboutOf(by), stream, 1);
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
      waitMs: waits.orderExpiry + travelMs,
    },
    async run(trial) {
      const order = await createOrder(trial);
      const other = await createOrder(trial);
      const { expiresAt } = other;
      if (expiresAt === undefined) return trial.giveUp('the order carries no deadline');
      const left = expiresAt - targetNow(trial).earliest;
      trial.mayWait(left + 2 * travelMs, "this target's orders' life");
      const stream = await openAnother(trial, by, { intentId: order.intentId });
      await quote(trial, 'maker_a', other);
      const ended = await awaitStatus(trial, other, terminal, left + travelMs);
      if (!ended) return trial.giveUp('the younger of the two orders did not end');
      await trial.target.timeline.sleep(travelMs);
      mustLast(trial, stream);
      judgeOnly(trial, stream, order);
      judgeTold(trial, aboutOf(by), stream, order, [['EXPIRED']]);
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
      needs: { parties: ['sender', 'maker_a', by], waitMs: waits.settlement + travelMs },
      async run(trial) {
        mayOpenAnother(trial);
        const order = await createOrder(trial);
        const stream = await trial.party(by).listen({ intentId: order.intentId });
        await accept(trial, order, await quote(trial, 'maker_a', order));
        await settle(trial, [order]);
        if (succeeded(stream.opened)) mustLast(trial, stream);
        for (const [index, requirement] of requirements.entries()) {
          const event = barred[index] ?? '';
          const frames = stream.frames.filter(
            (frame) =>
              frame.event === event && (orderOf(frame) === undefined || isOf(order)(frame)),
          );
          trial.judge(requirement, frames.length === 0, {
            message: `${by} was told ${event} of an order on a stream limited to it.`,
            expected: 'nothing',
            actual: frames.map(({ data }) => data),
            seen: [stream.opened, ...frames],
          });
        }
      },
    }),
);

export const filterStreamChecks: readonly Check[] = [...side, ...cancels, ...expiries, ...foreign];
