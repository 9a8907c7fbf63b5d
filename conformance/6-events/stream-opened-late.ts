import { type Check, defineCheck } from '../../src/suite/engine/check.ts';
import {
  accept,
  createOrder,
  isRefusal,
  quote,
  readOrder,
  targetNow,
} from '../../src/suite/actions/index.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { tryCancel, each, waits } from '../shared/order-calls.ts';
import {
  afterStartRushMs,
  awaitEndAndEvents,
  awaitEvents,
  eventLatencyMs,
  openSecondStream,
  requireStreamLasted,
  resumePoint,
} from '../shared/streams.ts';

/** Time must pass between the acceptance and the stream: one that opens at that very moment is none that comes late. */
const laterMs = 1_000;

/** 6: a settlement goes to every stream of its maker that is open then, whenever it opened. */
const makers = each(['maker_a', 'maker_c'] as const, (by) =>
  defineCheck({
    id: `stream.late.${by}`,
    title: `A stream that ${by} opens between the acceptance of its quote and the settlement carries that.`,
    requirements: ['event.every-open-stream'],
    needs: {
      parties: ['sender', by],
      waitMs: afterStartRushMs + waits.settlement + 2 * eventLatencyMs,
    },
    async run(t) {
      await t.target.timeline.sleep(afterStartRushMs);
      const order = await createOrder(t);
      await accept(t, order, await quote(t, by, order));
      await t.target.timeline.sleep(laterMs);
      const late = await openSecondStream(t, by);
      // That it was open before the settlement shows where the order was not SETTLED yet.
      await readOrder(t, order);
      await awaitEndAndEvents(t, order);
      requireStreamLasted(t, late);
    },
  }),
);

/** 6: a stream that opens in the middle of an order's life carries the rest of it, and so does one opened again. */
const sides = each(['sender', 'sender_custodian'] as const, (by) =>
  defineCheck({
    id: `stream.late.${by}`,
    title: `A stream that ${by} opens once a quote is accepted carries the settlement; opened again, it goes on.`,
    requirements: ['stream.unfiltered-has-all'],
    needs: {
      parties: [...new Set<CastName>(['sender', by, 'maker_a'])],
      waitMs: afterStartRushMs + 2 * waits.settlement + eventLatencyMs,
    },
    async run(t) {
      await t.target.timeline.sleep(afterStartRushMs);
      const order = await createOrder(t);
      await accept(t, order, await quote(t, 'maker_a', order));
      const first = await openSecondStream(t, by);
      await readOrder(t, order);
      await awaitEndAndEvents(t, order);
      requireStreamLasted(t, first);
      await first.close();
      const next = await createOrder(t);
      const again = await openSecondStream(t, by, resumePoint(first));
      await accept(t, next, await quote(t, 'maker_a', next));
      await awaitEndAndEvents(t, next);
      requireStreamLasted(t, again);
    },
  }),
);

const limitOf = (by: CastName): RequirementId =>
  by === 'sender_custodian'
    ? 'stream.intent-filter.for-custodian'
    : 'stream.intent-filter.all-of-that-order';

/** 6: however old its order is, a stream limited to it carries what becomes of that. */
const expiries = each(['sender', 'sender_custodian'] as const, (by) =>
  defineCheck({
    id: `stream.late.expiry.${by}`,
    title: `A stream of ${by} that is limited to an order, opened in the middle of its life, carries its expiry.`,
    requirements: [limitOf(by)],
    needs: {
      parties: [...new Set<CastName>(['sender', by])],
      waitMs: waits.orderExpiry + 2 * eventLatencyMs,
    },
    async run(t) {
      const order = await createOrder(t);
      const { expiresAt } = order;
      if (expiresAt === undefined) return t.notExercised('the order carries no deadline');
      const left = expiresAt - targetNow(t).earliest;
      t.allowWait(left + 2 * eventLatencyMs, "this target's orders' life");
      await t.target.timeline.sleep(Math.max(0, Math.round(left / 2)));
      const stream = await openSecondStream(t, by, { intentId: order.intentId });
      if (targetNow(t).latest >= expiresAt) return t.notExercised('the stream opened too late');
      await readOrder(t, order);
      const until = expiresAt - targetNow(t).earliest + eventLatencyMs;
      await awaitEndAndEvents(t, order, until);
      requireStreamLasted(t, stream);
    },
  }),
);

/** 6: a stream limited to a QUOTED order carries its cancel. One that is EXECUTING is past cancelling. */
const cancels = each(['sender', 'sender_custodian'] as const, (by) =>
  defineCheck({
    id: `stream.late.cancel.${by}`,
    title: `A stream of ${by} that is limited to a QUOTED order carries the end that a cancel brings.`,
    requirements: [limitOf(by)],
    needs: {
      parties: [...new Set<CastName>(['sender', by, 'maker_a'])],
      waitMs: 2 * eventLatencyMs,
    },
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
  }),
);

export const lateStreamChecks: readonly Check[] = [...makers, ...sides, ...expiries, ...cancels];
