import type { EventStream } from '../../src/client/contract.ts';
import { type Check, defineCheck } from '../../src/suite/engine/check.ts';
import { accept, awaitStatus, createOrder, quote } from '../../src/suite/actions/index.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { cancelOrder } from '../shared/order-calls.ts';
import { each } from '../shared/check-table.ts';
import { settlementTimeoutMs, waits } from '../shared/waits.ts';
import { terminalOrderStates } from '../../src/spec/states.ts';
import {
  isHeartbeat,
  isEventOf,
  requireStreamLasted,
  openSecondStream,
  eventLatencyMs,
} from '../shared/streams.ts';

/** Where a stream left off: at the last of its messages that had an id, if any had (gap `stream.resume`). */
export function resumePoint(stream: EventStream): { readonly lastEventId?: string } {
  const lastEventId = stream.frames.findLast(({ eventId }) => eventId !== undefined)?.eventId;
  return lastEventId === undefined ? {} : { lastEventId };
}

interface Return {
  readonly by: CastName;
  /** Who creates the order by whose events the stream gets a place, and to which it may be limited. */
  readonly creator: 'sender' | 'outsider';
  readonly isLimited: boolean;
  /** The event of another order that must not come; any, where the stream is limited. */
  readonly barred: readonly (readonly [RequirementId, event?: string])[];
}

const only = 'stream.intent-filter.only-that-order';

const returns: readonly Return[] = [
  { by: 'sender', creator: 'sender', isLimited: true, barred: [[only]] },
  { by: 'sender_custodian', creator: 'sender', isLimited: true, barred: [[only]] },
  {
    by: 'outsider',
    creator: 'outsider',
    isLimited: false,
    barred: [
      ['event.order-updated.not-to-strangers', 'order_updated'],
      ['event.quote-received.not-to-strangers', 'quote_received'],
    ],
  },
  {
    by: 'receiver_custodian',
    creator: 'sender',
    isLimited: false,
    barred: [['event.quote-received.not-to-receiver-custodian', 'quote_received']],
  },
  {
    by: 'maker_b',
    creator: 'sender',
    isLimited: false,
    barred: [
      ['event.quote-accepted.not-to-others', 'quote_accepted'],
      ['event.settlement-completed.not-to-others', 'settlement_completed'],
    ],
  },
];

/**
 * Whether a client can take up where it left off is open; that it then hears what was never for it is not. While the
 * stream is away, an order of the sender has its whole life.
 */
export const resumedChecks: readonly Check[] = each(returns, ({ by, creator, isLimited, barred }) =>
  defineCheck({
    id: `stream.resumed.${by}`,
    title: `A stream of ${by}${isLimited ? ', limited to one order,' : ''} that is opened again where it left off tells nothing that was not for it.`,
    requirements: barred.map(([requirement]) => requirement),
    needs: {
      parties: [...new Set<CastName>(['sender', creator, by, 'maker_a'])],
      waitMs: waits.settlement + 3 * eventLatencyMs,
    },
    async run(t) {
      const { timeline } = t.target;
      const early = isLimited ? undefined : await openSecondStream(t, by);
      const own = await createOrder(t, {}, { by: creator });
      const limit = isLimited ? { intentId: own.intentId } : {};
      const first = early ?? (await openSecondStream(t, by, limit));
      await quote(t, 'maker_a', own);
      await timeline.sleep(eventLatencyMs);
      await first.close();
      const other = await createOrder(t);
      await accept(t, other, await quote(t, 'maker_a', other));
      await awaitStatus(t, other, terminalOrderStates, settlementTimeoutMs);
      const again = await openSecondStream(t, by, { ...limit, ...resumePoint(first) });
      await cancelOrder(t, own, creator);
      await timeline.sleep(eventLatencyMs);
      requireStreamLasted(t, again);
      for (const [requirement, event] of barred) {
        const told = again.frames.filter((frame) => isEventOf(other, event)(frame));
        t.assert(requirement, told.every(isHeartbeat), {
          message: `A stream of ${by} that was opened again told what was not for it.`,
          expected: `no ${event ?? 'event'} of another order`,
          actual: told.map(({ event: name, data }) => ({ event: name, data })),
          seen: [again.opened, ...told.slice(0, 3)],
        });
      }
    },
  }),
);
