import type { EventStream } from '../../src/client/contract.ts';
import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
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
} from '../../src/conformance/moves/index.ts';
import { parseTimestamp } from '../../src/spec/forms.ts';
import type { Frame } from '../../src/history/records.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { stateTold } from '../3-states/told.ts';
import {
  among,
  cancelCall,
  each,
  settlementPatienceMs,
  terminal,
  unsettled,
  waits,
} from '../3-states/words.ts';
import { calmMs, isHeartbeat, isOf, mustLast, openAnother, told, travelMs } from './listening.ts';

const several = 'event.every-open-stream';

/** Time must pass between the acceptance and the stream: one that opens at that very moment is none that comes late. */
const laterMs = 1_000;

/** A settlement is told to whoever listens then, whenever it began to. */
const makers = each(['maker_a', 'maker_c'] as const, (by) =>
  defineCheck({
    id: `stream.late.${by}`,
    title: `A stream that ${by} opens between the acceptance of its quote and the settlement tells that.`,
    requirements: [several],
    needs: { parties: ['sender', by], waitMs: calmMs + waits.settlement + 2 * travelMs },
    async run(trial) {
      const { timeline, clock } = trial.target;
      await timeline.sleep(calmMs);
      const order = await createOrder(trial);
      await accept(trial, order, await quote(trial, by, order));
      await timeline.sleep(laterMs);
      const late = await openAnother(trial, by);
      const since = late.opened.received;
      await awaitStatus(trial, order, ['SETTLED'], settlementPatienceMs);
      const { data } = await readOrder(trial, order);
      const settledAt = parseTimestamp(data['settled_at']);
      const hash = textOf(data, 'transaction_hash');
      // A payload may have no more than what is named for it (gap `event.payload`): the hash.
      const tells = (frame: Frame): boolean =>
        frame.event === 'settlement_completed' &&
        (isOf(order)(frame) || (hash !== undefined && told(frame, 'transaction_hash') === hash));
      const due = await awaitEvent(
        trial,
        trial.party(by),
        'settlement_completed',
        (_, frame) => tells(frame),
        travelMs,
      );
      await timeline.sleep(travelMs);
      mustLast(trial, late);
      if (!due) return trial.giveUp('no stream of the maker told the settlement');
      // Settlements are not said to take any time at all: this one may have been over.
      const wasLater = settledAt !== undefined && settledAt > since + clock.offset.most;
      if (due.received <= since || !wasLater) {
        return trial.giveUp('the order had settled before the stream was open', [due]);
      }
      trial.judge(several, late.frames.some(tells), {
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
async function judgeEnd(
  trial: Trial,
  by: CastName,
  stream: EventStream,
  order: PlacedOrder,
): Promise<void> {
  const { data, exchange } = await readOrder(trial, order);
  if (!among(unsettled, data)) trial.giveUp('the order did not come to its end', [exchange]);
  mustLast(trial, stream);
  const tells = stream.frames.some((frame) => stateTold(frame, order) === data['status']);
  trial.judge(limitOf(by), tells, {
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
      waitMs: waits.orderExpiry + 2 * travelMs,
    },
    async run(trial) {
      const { timeline } = trial.target;
      const order = await createOrder(trial);
      const { expiresAt } = order;
      if (expiresAt === undefined) return trial.giveUp('the order carries no deadline');
      const left = expiresAt - targetNow(trial).earliest;
      trial.mayWait(left + 2 * travelMs, "this target's orders' life");
      await timeline.sleep(Math.max(0, Math.round(left / 2)));
      const stream = await openAnother(trial, by, { intentId: order.intentId });
      if (targetNow(trial).latest >= expiresAt) return trial.giveUp('the stream opened too late');
      const until = expiresAt - targetNow(trial).earliest + travelMs;
      await awaitStatus(trial, order, terminal, until);
      await timeline.sleep(travelMs);
      await judgeEnd(trial, by, stream, order);
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
      waitMs: 2 * travelMs,
    },
    async run(trial) {
      const order = await createOrder(trial);
      await accept(trial, order, await quote(trial, 'maker_a', order));
      const stream = await openAnother(trial, by, { intentId: order.intentId });
      const cancelled = await cancelCall(trial, order);
      if (isRefusal(cancelled)) return trial.outOfScope('the order was past cancelling by then');
      await trial.target.timeline.sleep(travelMs);
      await judgeEnd(trial, by, stream, order);
    },
  }),
);

export const openedLateChecks: readonly Check[] = [...makers, ...expiries, ...cancels];
