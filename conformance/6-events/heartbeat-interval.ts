import type { EventStream } from '../../src/client/contract.ts';
import { type Check, defineCheck, type CheckContext } from '../../src/suite/engine/check.ts';
import {
  createOrder,
  type PlacedOrder,
  quote,
  remainingMs,
} from '../../src/suite/actions/index.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import { each } from '../shared/check-table.ts';
import { openSecondStream } from '../shared/streams.ts';
import { resumePoint } from './resumed-stream.ts';

/** Two intervals and what a timer may be late, so that wherever the phase lies two heartbeats are seen. */
const listenMs = 64_500;

/**
 * Whether a stream was still open after two heartbeats were due. One that ended may have been displaced by another, or
 * have had its span (gaps `stream.per_party`, `stream.closing`): the rules see every stream, and judge what ended too
 * soon for either.
 */
function assertOpen(t: CheckContext, stream: EventStream, opened = stream.opened): void {
  if (!stream.isOpen || stream.opened.id !== opened.id) {
    t.notExercised('the stream did not last for two heartbeats', [opened]);
  }
  t.assert('stream.stays-open', true, { message: '' });
}

/** A stream limited to an order that is left alone hears heartbeats and little else. */
const quietOrders = each(['sender', 'sender_custodian', 'outsider'] as const, (by) =>
  defineCheck({
    id: `stream.heartbeats.quiet.${by}`,
    title: `A stream of ${by} limited to an order that is left alone stays open and has its heartbeats.`,
    requirements: ['stream.stays-open'],
    needs: { parties: [...new Set<CastName>(['sender', by])], waitMs: listenMs },
    async run(t) {
      const order = await createOrder(t, {}, { by: by === 'outsider' ? by : 'sender' });
      const stream = await openSecondStream(t, by, { intentId: order.intentId });
      await t.target.timeline.sleep(listenMs);
      assertOpen(t, stream);
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
      async run(t) {
        if (afterMs > 0) await t.target.timeline.sleep(afterMs);
        const stream = await openSecondStream(t, by);
        await t.target.timeline.sleep(listenMs);
        assertOpen(t, stream);
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
  async run(t) {
    const { timeline } = t.target;
    const { events } = t.party('sender');
    const { opened } = events;
    const end = timeline.now() + listenMs;
    const orders: PlacedOrder[] = [];
    for (let n = 0; n < 7; n += 1) orders.push(await createOrder(t));
    for (const order of orders) {
      // Where orders live for less than this takes, the rest of it is quieter.
      const open = (remainingMs(t, order) ?? 0) > 3_000;
      if (open) await quote(t, 'maker_a', order);
      await timeline.sleep(8_000);
    }
    await timeline.until(end);
    // The one that all share is opened again whenever it ends: then another has opened it by now.
    assertOpen(t, events, opened);
  },
});

/**
 * Whoever comes back is kept alive like anybody else. A stream of the sender would hear the whole run for a minute, and
 * is limited to an order of its own.
 */
const returned = each(
  [
    { by: 'sender', creator: 'sender', isLimited: true },
    { by: 'outsider', creator: 'outsider', isLimited: false },
    { by: 'maker_b', creator: 'sender', isLimited: false },
  ] as const,
  ({ by, creator, isLimited }) =>
    defineCheck({
      id: `stream.heartbeats.returned.${by}`,
      title: `A stream of ${by}${isLimited ? ', limited to one order,' : ''} that is opened again where it left off stays open and has its heartbeats.`,
      requirements: ['stream.stays-open'],
      needs: {
        parties: [...new Set<CastName>([creator, by, 'maker_a'])],
        waitMs: listenMs + 1_000,
      },
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
        assertOpen(t, again);
      },
    }),
);

export const heartbeatChecks: readonly Check[] = [...quietOrders, ...unlimited, busy, ...returned];
