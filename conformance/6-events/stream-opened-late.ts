import type { Check } from '../../src/suite/engine/check.ts';
import { accept, createOrder, isRefusal, quote, readOrder } from '../../src/suite/actions/index.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { tryCancel } from '../shared/order-calls.ts';
import { needsOf, waits } from '../shared/waits.ts';
import {
  afterStartRushMs,
  awaitEndAndEvents,
  awaitEvents,
  eventLatencyMs,
  openSecondStream,
  requireStreamLasted,
  resumePoint,
} from '../shared/streams.ts';
import { rows } from '../shared/check-table.ts';

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
    title: `A stream that ${by} opens between an acceptance and the settlement carries that${isMaker ? '' : '; opened again, it goes on'}.`,
    requirements: [isMaker ? 'event.every-open-stream' : 'stream.unfiltered-has-all'],
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

const limitOf = (by: CastName): RequirementId =>
  by === 'sender_custodian'
    ? 'stream.intent-filter.for-custodian'
    : 'stream.intent-filter.all-of-that-order';

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
