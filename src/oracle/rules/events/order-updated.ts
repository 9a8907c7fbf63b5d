import { acceptanceFields, settlementFields } from '../../../spec/requirements/index.ts';
import type { OrderState } from '../../../spec/vocabulary.ts';
import { isSet, textAt } from '../../../protocol/json.ts';
import {
  type Cause,
  framesOn,
  mustDeliver,
  isDeliveredLate,
  relationOf,
  withoutDelivery,
  streamsByParty,
} from '../../trace/event-delivery.ts';
import { equalValues } from '../../../protocol/equality.ts';
import { reaches } from '../../../spec/states.ts';
import { defineRule } from '../../findings.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import { possiblyEffective, type OrderTrace, orderStateOf } from '../../trace/traces.ts';
import { type TraceFrame, type StreamTrace, earlierDelivery } from '../../trace/streams.ts';

/** A state that an order was surely in, and what proves that it had not been before. */
interface Change extends Cause {
  readonly state: OrderState;
}

/** The states that lie behind one that was seen: 3.1 has no other way to EXECUTING and SETTLED. */
const behind: Partial<Record<OrderState, readonly OrderState[]>> = {
  EXECUTING: ['QUOTED'],
  SETTLED: ['QUOTED', 'EXECUTING'],
};
const accepted: readonly OrderState[] = ['QUOTED', 'EXECUTING', 'SETTLED'];

/** Every change of status that a history proves of an order, with the earliest proof of each. */
function changesOf(trace: OrderTrace): Change[] {
  if (!trace.creation) return [];
  const proofs = new Map<OrderState, Snapshot>();
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

/** The latest place at which the order was surely not yet in a state. */
function notYet(trace: OrderTrace, state: OrderState, proof: Snapshot): number {
  let since = trace.creation?.open ?? Number.NEGATIVE_INFINITY;
  const first = possiblyEffective(trace.acceptances)[0];
  if (accepted.includes(state) && first) since = Math.max(since, first.open);
  for (const seen of trace.snapshots) {
    if (seen.frame || seen.close >= proof.close) continue;
    const earlier = orderStateOf(seen);
    if (earlier && earlier !== state && reaches(earlier, state)) since = Math.max(since, seen.open);
  }
  return since;
}

const onChange = {
  QUOTED: 'event.order-updated.on-quoted',
  EXECUTING: 'event.order-updated.on-executing',
  SETTLED: 'event.order-updated.on-settled',
  EXPIRED: 'event.order-updated.on-expired',
  FAILED: 'event.order-updated.on-failed',
} as const;

export const orderUpdatesSent = defineRule({
  id: 'event.order-updated.sent',
  title:
    'Every change of status is told to the sender and its custodian, on each stream that is open',
  requirements: [
    'event.order-updated.sent',
    'event.order-updated.on-quoted',
    'event.order-updated.on-executing',
    'event.order-updated.on-settled',
    'event.order-updated.on-expired',
    'event.order-updated.on-failed',
    'event.order-updated.on-cancel',
    'event.order-updated.to-sender-custodian',
    'event.every-open-stream',
    'event.live',
    'stream.intent-filter.all-of-that-order',
    'stream.intent-filter.for-custodian',
    'stream.unfiltered-has-all',
  ],
  judge(view, findings) {
    const streamsOf = view.once(streamsByParty);
    for (const trace of view.orders.values()) {
      const changes = changesOf(trace);
      if (changes.length === 0) continue;
      const audience = [trace.creation?.party, view.nameOf(trace.senderCustodianId)];
      for (const party of new Set(audience)) {
        if (party === undefined) continue;
        for (const change of changes) tell(trace, change, streamsOf(party));
      }
    }

    function tell(trace: OrderTrace, change: Change, streams: readonly StreamTrace[]): void {
      const due = streams.filter(
        (stream) =>
          stream.kind === 'order' &&
          (stream.filter === undefined || stream.filter === trace.id) &&
          mustDeliver(stream, change),
      );
      const got = due.map((stream) =>
        framesOn(trace, stream, 'order_updated').find(
          ({ payload }) => payload?.['status'] === change.state,
        ),
      );
      due.forEach((stream, index) => judgeOne(trace, change, stream, got[index]));
      if (due.length > 1 && got.some(Boolean)) {
        const missed = due.find((_, index) => !got[index]);
        findings.assert('event.every-open-stream', !missed, change.source, () => ({
          message: `of several open streams of one party one was not told of ${change.state}`,
          evidence: [change.source, missed?.id ?? ''],
        }));
      }
    }

    function judgeOne(
      trace: OrderTrace,
      change: Change,
      stream: StreamTrace,
      frame: TraceFrame | undefined,
    ): void {
      const custodian = stream.role === 'custodian';
      const cancelled =
        (change.state === 'FAILED' || change.state === 'EXPIRED') &&
        trace.cancels.some((call) => call.ok);
      const requirements = custodian
        ? (['event.order-updated.to-sender-custodian'] as const)
        : ([
            'event.order-updated.sent',
            cancelled
              ? 'event.order-updated.on-cancel'
              : onChange[change.state as keyof typeof onChange],
          ] as const);
      const limited = stream.filter !== undefined;
      const about = custodian
        ? (['stream.intent-filter.for-custodian'] as const)
        : (['stream.intent-filter.all-of-that-order'] as const);
      for (const requirement of [
        ...requirements,
        ...(limited ? about : (['stream.unfiltered-has-all'] as const)),
      ]) {
        findings.assert(requirement, frame !== undefined, frame?.id ?? change.source, () => ({
          message: `no order_updated told that an order became ${change.state}`,
          expected: { event: 'order_updated', intent_id: trace.id, status: change.state },
          evidence: [stream.id, change.source],
        }));
      }
      if (!frame) return;
      if (!isDeliveredLate(frame, change)) findings.pass('event.live', frame.id);
      else {
        findings.warn('event.live', {
          message: `order_updated came ${(frame.frame.received - change.byMs) / 1000} s after ${change.state} could be read`,
          evidence: [change.source, frame.id],
        });
      }
    }
  },
});

export const orderUpdatesCorrect = defineRule({
  id: 'event.order-updated.right',
  title:
    'order_updated goes to those with a part in the order, once for each change, in order, after its cause',
  requirements: [
    'event.order-updated.not-to-strangers',
    'event.order-updated.once',
    'event.order-updated.only-on-change',
    'event.order-updated.agrees-with-read',
    'event.in-order',
    'event.after-cause',
  ],
  judge(view, findings) {
    const streamsOf = view.once(streamsByParty);
    const parties = [
      ...new Set(view.streams.filter(({ kind }) => kind === 'order').map(({ party }) => party)),
    ];
    for (const trace of view.orders.values()) {
      judgeWithoutDelivery(trace);
      const delivered = new Map<StreamTrace, TraceFrame[]>();
      for (const { stream, seen } of trace.frames) {
        if (seen.frame.event !== 'order_updated') continue;
        const list = delivered.get(stream);
        if (list) list.push(seen);
        else delivered.set(stream, [seen]);
      }
      for (const [stream, frames] of delivered) {
        judgeAudience(trace, stream, frames[0]);
        judgeSequence(trace, stream, frames);
        for (const frame of frames) {
          judgeCause(trace, frame);
          judgeContent(trace, frame);
        }
      }
    }

    function judgeAudience(trace: OrderTrace, stream: StreamTrace, frame?: TraceFrame): void {
      if (!frame || relationOf(view, trace, stream.party) !== 'stranger') return;
      findings.fail('event.order-updated.not-to-strangers', {
        message: `order_updated went to ${stream.party}, which has no part in the order`,
        evidence: [stream.id, frame.id],
      });
    }

    /** Only a stranger that listened while a status changed shows that strangers are left out. */
    function judgeWithoutDelivery(trace: OrderTrace): void {
      const [change] = changesOf(trace);
      if (!change) return;
      for (const party of parties) {
        if (relationOf(view, trace, party) !== 'stranger') continue;
        const got = (stream: StreamTrace): boolean =>
          framesOn(trace, stream, 'order_updated').length > 0;
        for (const stream of withoutDelivery(streamsOf(party), change, got)) {
          findings.pass('event.order-updated.not-to-strangers', stream.id);
        }
      }
    }

    function judgeSequence(
      trace: OrderTrace,
      stream: StreamTrace,
      frames: readonly TraceFrame[],
    ): void {
      const proposed = possiblyEffective(trace.proposals).length > 0;
      const seen = new Map<OrderState, TraceFrame>();
      let last: { readonly state: OrderState; readonly frame: TraceFrame } | undefined;
      for (const frame of frames) {
        const state = textAt(frame.payload, 'status') as OrderState | undefined;
        if (state === undefined || !Object.hasOwn(orderOf, state)) continue;
        const before = earlierDelivery(stream, seen.get(state));
        seen.set(state, frame);
        const evidence = [...(before ? [before.id] : []), frame.id];
        if (state === 'PENDING') {
          // What a proposal's acceptance changes is open.
          if (!proposed) {
            findings.assert('event.order-updated.only-on-change', !before, frame.id, () => ({
              message: 'order_updated told PENDING more than once',
              evidence,
            }));
          }
        } else {
          findings.assert('event.order-updated.once', !before, frame.id, () => ({
            message: `order_updated told ${state} more than once on one stream`,
            evidence,
          }));
        }
        if (last && last.state !== state) {
          const { state: from, frame: earlier } = last;
          findings.assert('event.in-order', reaches(from, state), frame.id, () => ({
            message: `order_updated told ${state} after ${from}`,
            evidence: [earlier.id, frame.id],
          }));
        }
        last = { state, frame };
      }
    }

    function judgeCause(trace: OrderTrace, frame: TraceFrame): void {
      if (!trace.creation) return;
      const state = textAt(frame.payload, 'status') as OrderState | undefined;
      const early = frame.at < trace.creation.open;
      const needsAcceptance = state !== undefined && accepted.includes(state);
      const first = possiblyEffective(trace.acceptances)[0];
      const uncaused = needsAcceptance && first !== undefined && frame.at < first.open;
      findings.assert('event.after-cause', !early && !uncaused, frame.id, () => ({
        message: `order_updated told ${state} before ${early ? 'the order was created' : 'a quote was accepted'}`,
        evidence: [frame.id, (early ? trace.creation?.id : first?.id) ?? ''],
      }));
    }

    function judgeContent(trace: OrderTrace, frame: TraceFrame): void {
      judgeNulls(frame);
      for (const field of constantFields) {
        const delivered = frame.payload?.[field];
        if (!isSet(delivered)) continue;
        const read = trace.snapshots.find(({ whole, value }) => whole && isSet(value[field]));
        if (!read) continue;
        const holds = equalValues(field, read.value[field], delivered);
        findings.assert('event.order-updated.agrees-with-read', holds, frame.id, () => ({
          message: `${field} in order_updated was not what a read shows`,
          expected: read.value[field],
          actual: delivered,
          evidence: [read.source, frame.id],
        }));
      }
    }

    /** Which fields come along is open (gap `event.payload`); a whole order that shows null says that there is nothing. */
    function judgeNulls({ payload, id }: TraceFrame): void {
      if (!wholeFields.every((field) => isSet(payload?.[field]))) return;
      const state = textAt(payload, 'status') as OrderState | undefined;
      if (state === undefined || !accepted.includes(state)) return;
      const due = [...acceptanceFields, ...(state === 'SETTLED' ? settlementFields : [])];
      const nulls = due.filter((field) => payload?.[field] === null);
      findings.assert('event.order-updated.agrees-with-read', nulls.length === 0, id, () => ({
        message: `order_updated told of an order in ${state} without ${nulls.join(', ')}`,
        actual: payload,
        evidence: [id],
      }));
    }
  },
});

/** What every order has from its creation: a payload that carries all of it is an order, not a part of one. */
const wholeFields = [
  'intent_id',
  'sender_party_id',
  'target_amount',
  'source_amount_max',
  'created_at',
  'expires_at',
] as const;

const orderOf: Readonly<Record<OrderState, true>> = {
  PENDING: true,
  QUOTED: true,
  EXECUTING: true,
  SETTLED: true,
  EXPIRED: true,
  FAILED: true,
};

const constantFields = [
  'sender_party_id',
  'sender_custodian_party_id',
  'receiver_party_id',
  'receiver_custodian_party_id',
  'source_currency',
  'target_currency',
  'target_amount',
  'source_amount_max',
  'created_at',
  'expires_at',
  ...acceptanceFields,
  ...settlementFields,
] as const;
