import type { OrderState } from '../../../spec/vocabulary.ts';
import { reaches } from '../../../spec/states.ts';
import { defineRule } from '../../findings.ts';
import type { Cause } from '../../trace/event-delivery.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import type { StreamTrace } from '../../trace/streams.ts';
import { firstPossiblyEffective, type OrderTrace, orderStateOf } from '../../trace/traces.ts';
import {
  assertDelivered,
  type Delivered,
  framesOf,
  type Instead,
  limitRequirement,
  streamsDue,
} from './delivery.ts';

/** A state that an order was certainly in, and the proof that it had not been in it before. */
export interface Change extends Cause {
  readonly state: Exclude<OrderState, 'PENDING'>;
}

/** The states that lie behind one that was seen: 3.1 has no other way to EXECUTING and SETTLED. */
const behind: Partial<Record<OrderState, readonly Change['state'][]>> = {
  EXECUTING: ['QUOTED'],
  SETTLED: ['QUOTED', 'EXECUTING'],
};
export const accepted: readonly OrderState[] = ['QUOTED', 'EXECUTING', 'SETTLED'];

/** Every change of status that a history proves of an order, with the earliest proof of each. */
export function changesOf(trace: OrderTrace): Change[] {
  if (!trace.creation) return [];
  const proofs = new Map<Change['state'], Snapshot>();
  for (const snapshot of trace.snapshots) {
    const state = orderStateOf(snapshot);
    if (!state || state === 'PENDING') continue;
    for (const each of [...(behind[state] ?? []), state]) {
      if (!proofs.has(each)) proofs.set(each, snapshot);
    }
  }
  return [...proofs].map(([state, proof]) => ({
    state,
    since: notYet(trace, state, proof),
    byMs: proof.to,
    by: proof.close,
    source: proof.source,
  }));
}

/** The latest place at which the order was certainly not yet in the state. */
function notYet(trace: OrderTrace, state: OrderState, proof: Snapshot): number {
  let since = trace.creation?.open ?? Number.NEGATIVE_INFINITY;
  const first = firstPossiblyEffective(trace.acceptances);
  if (accepted.includes(state) && first) since = Math.max(since, first.open);
  for (const seen of trace.snapshots) {
    if (seen.frame || seen.close >= proof.close) continue;
    const earlier = orderStateOf(seen);
    if (earlier && earlier !== state && reaches(earlier, state)) since = Math.max(since, seen.open);
  }
  return since;
}

/** The update that came in place of a missing one: it shows a status that nobody else saw the order in. */
function showsInstead(
  trace: OrderTrace,
  frames: readonly Delivered[],
  stream: StreamTrace,
  state: Change['state'],
): Instead | undefined {
  const shown = new Set<unknown>(['PENDING', ...changesOf(trace).map((one) => one.state)]);
  const frame = frames.find(
    (one) => one.stream === stream && !shown.has(one.seen.payload?.['status']),
  )?.seen;
  return (
    frame && { frame, expected: { status: state }, actual: { status: frame.payload?.['status'] } }
  );
}

const onChange = {
  QUOTED: 'event.order-updated.on-quoted',
  EXECUTING: 'event.order-updated.on-executing',
  SETTLED: 'event.order-updated.on-settled',
  EXPIRED: 'event.order-updated.on-expired',
  FAILED: 'event.order-updated.on-failed',
} as const;

function requirementsOf(trace: OrderTrace, state: Change['state'], stream: StreamTrace) {
  const limit = limitRequirement(stream);
  if (stream.role === 'custodian') {
    return ['event.order-updated.to-sender-custodian', limit] as const;
  }
  const isCancelled =
    (state === 'FAILED' || state === 'EXPIRED') && trace.cancels.some((call) => call.ok);
  const on = isCancelled ? 'event.order-updated.on-cancel' : onChange[state];
  return ['event.order-updated.sent', on, limit] as const;
}

export const orderUpdatesSent = defineRule({
  id: 'event.order-updated.sent',
  title: 'Every change of status goes to the sender and its custodian, on each stream that is open',
  requirements: [
    'event.order-updated.sent',
    'event.order-updated.on-quoted',
    'event.order-updated.on-executing',
    'event.order-updated.on-settled',
    'event.order-updated.on-expired',
    'event.order-updated.on-failed',
    'event.order-updated.on-cancel',
    'event.order-updated.to-sender-custodian',
    // Also judged by the rules of the other events, which see those on the same streams.
    'event.every-open-stream',
    'event.live',
    'stream.intent-filter.all-of-that-order',
    'stream.intent-filter.for-custodian',
    'stream.unfiltered-has-all',
  ],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      const audience = [trace.creation?.party, view.nameOf(trace.senderCustodianId)];
      const frames = framesOf(trace, 'order_updated');
      for (const change of changesOf(trace)) {
        const shows = (stream: StreamTrace) =>
          frames.find(
            (one) => one.stream === stream && one.seen.payload?.['status'] === change.state,
          )?.seen;
        assertDelivered(findings, {
          trace,
          event: 'order_updated',
          about: `of an order that became ${change.state}`,
          cause: change,
          due: streamsDue(view, trace, 'order_updated', audience, change),
          frameOn: shows,
          shows: { status: change.state },
          insteadOn: (stream) => showsInstead(trace, frames, stream, change.state),
          requirements: (stream) => requirementsOf(trace, change.state, stream),
        });
      }
    }
  },
});
