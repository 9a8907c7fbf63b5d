import type { EventStream } from '../../src/client/contract.ts';
import { type Check, defineCheck, type CheckContext } from '../../src/suite/engine/check.ts';
import {
  accept,
  awaitEvent,
  awaitStatus,
  createOrder,
  isRefusal,
  type PlacedOrder,
  quote,
  readOrder,
  targetNow,
  textOf,
} from '../../src/suite/actions/index.ts';
import { parseTimestamp } from '../../src/spec/forms.ts';
import type { Frame } from '../../src/history/records.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { stateInUpdate } from '../shared/order-updates.ts';
import { statusIsOneOf } from '../shared/order-fields.ts';
import { tryCancel } from '../shared/order-calls.ts';
import { each } from '../shared/check-table.ts';
import { settlementTimeoutMs, waits } from '../shared/waits.ts';
import { terminalOrderStates, unsettledStates } from '../../src/spec/states.ts';
import {
  afterStartRushMs,
  isHeartbeat,
  isEventOf,
  requireStreamLasted,
  openSecondStream,
  textInFrame,
  eventLatencyMs,
} from '../shared/streams.ts';

const several = 'event.every-open-stream';

/** Time must pass between the acceptance and the stream: one that opens at that very moment is none that comes late. */
const laterMs = 1_000;

/** A settlement is told to whoever listens then, whenever it began to. */
const makers = each(['maker_a', 'maker_c'] as const, (by) =>
  defineCheck({
    id: `stream.late.${by}`,
    title: `A stream that ${by} opens between the acceptance of its quote and the settlement tells that.`,
    requirements: [several],
    needs: {
      parties: ['sender', by],
      waitMs: afterStartRushMs + waits.settlement + 2 * eventLatencyMs,
    },
    async run(t) {
      const { timeline, clock } = t.target;
      await timeline.sleep(afterStartRushMs);
      const order = await createOrder(t);
      await accept(t, order, await quote(t, by, order));
      await timeline.sleep(laterMs);
      const late = await openSecondStream(t, by);
      const since = late.opened.received;
      await awaitStatus(t, order, ['SETTLED'], settlementTimeoutMs);
      const { data } = await readOrder(t, order);
      const settledAt = parseTimestamp(data['settled_at']);
      const hash = textOf(data, 'transaction_hash');
      // A payload may have no more than what is named for it (gap `event.payload`): the hash.
      const tells = (frame: Frame): boolean =>
        frame.event === 'settlement_completed' &&
        (isEventOf(order)(frame) ||
          (hash !== undefined && textInFrame(frame, 'transaction_hash') === hash));
      const due = await awaitEvent(
        t,
        t.party(by),
        'settlement_completed',
        (_, frame) => tells(frame),
        eventLatencyMs,
      );
      await timeline.sleep(eventLatencyMs);
      requireStreamLasted(t, late);
      if (!due) return t.notExercised('no stream of the maker told the settlement');
      // Settlements are not said to take any time at all: this one may have been over.
      const wasLater = settledAt !== undefined && settledAt > since + clock.offset.most;
      if (due.received <= since || !wasLater) {
        return t.notExercised('the order had settled before the stream was open', [due]);
      }
      t.assert(several, late.frames.some(tells), {
        message: `A stream that ${by} opened before a settlement did not tell it, while another did.`,
        expected: { event: 'settlement_completed', intent_id: order.intentId },
        actual: late.frames.filter((one) => !isHeartbeat(one)).map(({ event }) => event),
        seen: [late.opened, due],
      });
    },
  }),
);

const limitOf = (by: CastName): RequirementId =>
  by === 'sender_custodian'
    ? 'stream.intent-filter.for-custodian'
    : 'stream.intent-filter.all-of-that-order';

/** Judges that a stream limited to an order told the end that the order has. */
async function assertCancelledForGood(
  t: CheckContext,
  by: CastName,
  stream: EventStream,
  order: PlacedOrder,
): Promise<void> {
  const { data, exchange } = await readOrder(t, order);
  if (!statusIsOneOf(unsettledStates, data))
    t.notExercised('the order did not come to its end', [exchange]);
  requireStreamLasted(t, stream);
  const tells = stream.frames.some((frame) => stateInUpdate(frame, order) === data['status']);
  t.assert(limitOf(by), tells, {
    message: `A stream limited to one order, opened before its end, did not tell that it became ${String(data['status'])}.`,
    expected: { event: 'order_updated', status: data['status'] },
    actual: stream.frames.filter((one) => !isHeartbeat(one)).map(({ event }) => event),
    seen: [stream.opened, exchange],
  });
}

/** However old its order is, a stream limited to it tells what becomes of that. */
const expiries = each(['sender', 'sender_custodian'] as const, (by) =>
  defineCheck({
    id: `stream.late.expiry.${by}`,
    title: `A stream of ${by} that is limited to an order, opened in the middle of its life, tells that it expires.`,
    requirements: [limitOf(by)],
    needs: {
      parties: [...new Set<CastName>(['sender', by])],
      waitMs: waits.orderExpiry + 2 * eventLatencyMs,
    },
    async run(t) {
      const { timeline } = t.target;
      const order = await createOrder(t);
      const { expiresAt } = order;
      if (expiresAt === undefined) return t.notExercised('the order carries no deadline');
      const left = expiresAt - targetNow(t).earliest;
      t.allowWait(left + 2 * eventLatencyMs, "this target's orders' life");
      await timeline.sleep(Math.max(0, Math.round(left / 2)));
      const stream = await openSecondStream(t, by, { intentId: order.intentId });
      if (targetNow(t).latest >= expiresAt) return t.notExercised('the stream opened too late');
      const until = expiresAt - targetNow(t).earliest + eventLatencyMs;
      await awaitStatus(t, order, terminalOrderStates, until);
      await timeline.sleep(eventLatencyMs);
      await assertCancelledForGood(t, by, stream, order);
    },
  }),
);

/** An order that is QUOTED is soon EXECUTING and past cancelling: then nothing is shown. */
const cancels = each(['sender', 'sender_custodian'] as const, (by) =>
  defineCheck({
    id: `stream.late.cancel.${by}`,
    title: `A stream of ${by} that is limited to a QUOTED order tells the end that a cancel brings.`,
    requirements: [limitOf(by)],
    needs: {
      parties: [...new Set<CastName>(['sender', by, 'maker_a'])],
      waitMs: 2 * eventLatencyMs,
    },
    async run(t) {
      const order = await createOrder(t);
      await accept(t, order, await quote(t, 'maker_a', order));
      const stream = await openSecondStream(t, by, { intentId: order.intentId });
      const cancelled = await tryCancel(t, order);
      if (isRefusal(cancelled)) return t.outOfScope('the order was past cancelling by then');
      await t.target.timeline.sleep(eventLatencyMs);
      await assertCancelledForGood(t, by, stream, order);
    },
  }),
);

export const lateStreamChecks: readonly Check[] = [...makers, ...expiries, ...cancels];
