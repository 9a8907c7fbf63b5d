import type { EventStream } from '../../src/client/contract.ts';
import { type Check, defineCheck, type Trial } from '../../src/conformance/check.ts';
import {
  createOrder,
  type PlacedOrder,
  quote,
  remainingMs,
} from '../../src/conformance/moves/index.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import { each } from '../3-states/words.ts';
import { isHeartbeat, openAnother } from './listening.ts';

/** Two intervals and what a timer may be late, so that wherever the phase lies two heartbeats are seen. */
const listenMs = 64_500;

/** Judges that a stream was still open after two heartbeats were due; their intervals are judged by the rules. */
function judgeOpen(trial: Trial, by: CastName, stream: EventStream): void {
  const cause = stream.ended?.cause;
  // One that another displaced (gap `stream.per_party`) is nobody's fault.
  if (cause !== undefined && trial.party(by).events.opened.received > stream.opened.received)
    return;
  trial.judge('stream.stays-open', stream.isOpen, {
    message: `A stream of ${by} ended though it was not closed.`,
    expected: 'an open stream',
    actual: { cause, heartbeats: stream.frames.filter(isHeartbeat).length },
    seen: [stream.opened],
  });
}

/** A stream limited to an order that is left alone hears heartbeats and little else. */
const quietOrders = each(['sender', 'sender_custodian', 'outsider'] as const, (by) =>
  defineCheck({
    id: `stream.heartbeats.quiet.${by}`,
    title: `A stream of ${by} limited to an order that is left alone stays open and has its heartbeats.`,
    requirements: ['stream.stays-open'],
    needs: { parties: [...new Set<CastName>(['sender', by])], waitMs: listenMs },
    async run(trial) {
      const order = await createOrder(trial, {}, { by: by === 'outsider' ? by : 'sender' });
      const stream = await openAnother(trial, by, { intentId: order.intentId });
      await trial.target.timeline.sleep(listenMs);
      judgeOpen(trial, by, stream);
    },
  }),
);

const unlimited = each(
  [
    { by: 'outsider_custodian', afterMs: 0 },
    { by: 'maker_c', afterMs: 14_000 },
  ] as const,
  ({ by, afterMs }) =>
    defineCheck({
      id: `stream.heartbeats.${by}`,
      title: `A second stream of ${by}, opened ${afterMs / 1000} s into the run, stays open and has its heartbeats.`,
      requirements: ['stream.stays-open'],
      needs: { parties: [by], waitMs: listenMs + afterMs },
      async run(trial) {
        if (afterMs > 0) await trial.target.timeline.sleep(afterMs);
        const stream = await openAnother(trial, by);
        await trial.target.timeline.sleep(listenMs);
        judgeOpen(trial, by, stream);
      },
    }),
);

/**
 * Something happens on an order stream every few seconds. Quotes it is, since of those no other maker hears: theirs
 * are the streams that must have their silence in the same run.
 */
const busy = defineCheck({
  id: 'stream.heartbeats.busy',
  title:
    'While a quote comes every few seconds, the stream of the sender stays open and has its heartbeats.',
  requirements: ['stream.stays-open'],
  needs: { parties: ['sender', 'maker_a'], waitMs: listenMs },
  async run(trial) {
    const { timeline } = trial.target;
    const { events } = trial.party('sender');
    const { id } = events.opened;
    const end = timeline.now() + listenMs;
    const orders: PlacedOrder[] = [];
    for (let n = 0; n < 7; n += 1) orders.push(await createOrder(trial));
    for (const order of orders) {
      // Where orders live for less than this takes, the rest of it is quieter.
      const open = (remainingMs(trial, order) ?? 0) > 3_000;
      if (open) await quote(trial, 'maker_a', order);
      await timeline.sleep(8_000);
    }
    await timeline.until(end);
    // The one that all share is opened again whenever it ends: then another has opened it by now.
    trial.judge('stream.stays-open', events.isOpen && events.opened.id === id, {
      message: 'The stream of the sender ended though it was not closed.',
      expected: 'an open stream',
      actual: events.ended?.cause ?? 'opened again',
      seen: [events.opened],
    });
  },
});

export const heartbeatChecks: readonly Check[] = [...quietOrders, ...unlimited, busy];
