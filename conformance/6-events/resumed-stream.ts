import type { Check } from '../../src/suite/engine/check.ts';
import { accept, awaitStatus, createOrder, quote } from '../../src/suite/actions/index.ts';
import type { CastName, RequirementId } from '../../src/spec/requirements/index.ts';
import { cancelOrder } from '../shared/order-calls.ts';
import { needsOf, settlementTimeoutMs, waits } from '../shared/waits.ts';
import { terminalOrderStates } from '../../src/spec/states.ts';
import {
  awaitEvents,
  eventLatencyMs,
  openSecondStream,
  requireStreamLasted,
  resumePoint,
} from '../shared/streams.ts';

interface Return {
  readonly by: CastName;
  /** Creator of the order whose events give the stream its resume point. The stream may be limited to this order. */
  readonly creator: 'sender' | 'outsider';
  readonly isLimited: boolean;
  readonly requirements: readonly RequirementId[];
}

const only = 'stream.intent-filter.only-that-order';

const returns: readonly Return[] = [
  { by: 'sender', creator: 'sender', isLimited: true, requirements: [only] },
  { by: 'sender_custodian', creator: 'sender', isLimited: true, requirements: [only] },
  {
    by: 'outsider',
    creator: 'outsider',
    isLimited: false,
    requirements: ['event.order-updated.not-to-strangers', 'event.quote-received.not-to-strangers'],
  },
  {
    by: 'receiver_custodian',
    creator: 'sender',
    isLimited: false,
    requirements: ['event.quote-received.not-to-receiver-custodian'],
  },
  {
    by: 'maker_b',
    creator: 'sender',
    isLimited: false,
    requirements: [
      'event.quote-accepted.not-to-others',
      'event.settlement-completed.not-to-others',
    ],
  },
];

/**
 * 6: the document leaves open if a client can resume. A resumed stream must not carry events for other parties. While
 * the stream is closed, an order of the sender has its whole life.
 */
export const resumedChecks = returns.map<Check>(({ by, creator, isLimited, requirements }) => ({
  id: `stream.resumed.${by}`,
  title: `A stream of ${by}${isLimited ? ', limited to one order,' : ''} that is opened again where it left off carries nothing that was not for it.`,
  requirements,
  needs: needsOf(waits.settlement + 3 * eventLatencyMs, 'sender', creator, by, 'maker_a'),
  async run(t) {
    const early = isLimited ? undefined : await openSecondStream(t, by);
    const own = await createOrder(t, {}, { by: creator });
    const limit = isLimited ? { intentId: own.intentId } : {};
    const first = early ?? (await openSecondStream(t, by, limit));
    await quote(t, 'maker_a', own);
    await t.target.timeline.sleep(eventLatencyMs);
    await first.close();
    const other = await createOrder(t);
    await accept(t, other, await quote(t, 'maker_a', other));
    await awaitStatus(t, other, terminalOrderStates, settlementTimeoutMs);
    const again = await openSecondStream(t, by, { ...limit, ...resumePoint(first) });
    await cancelOrder(t, own, creator);
    await awaitEvents(t, own, creator);
    requireStreamLasted(t, again);
  },
}));
