import { equalValues } from '../../../protocol/equality.ts';
import { isSet, textOf } from '../../../protocol/json.ts';
import { acceptanceFields, settlementFields } from '../../../spec/requirements/index.ts';
import { acceptedStates, reaches } from '../../../spec/states.ts';
import type { OrderState } from '../../../spec/vocabulary.ts';
import { defineRule } from '../../findings.ts';
import { type Cause, framesOn, relationOf } from '../../trace/event-delivery.ts';
import { isOrderState, type Snapshot } from '../../trace/snapshots.ts';
import type { StreamTrace, TraceFrame } from '../../trace/streams.ts';
import {
  firstPossiblyEffective,
  orderStateOf,
  type OrderTrace,
  possiblyEffective,
} from '../../trace/traces.ts';
import {
  assertAudience,
  assertDelivered,
  type Delivered,
  framesOf,
  type Instead,
  limitRequirement,
  streamsDue,
  withRepeats,
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
  if (acceptedStates.includes(state) && first) since = Math.max(since, first.open);
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
  frames: readonly TraceFrame[],
  state: Change['state'],
): Instead | undefined {
  const shown = new Set<unknown>(['PENDING', ...changesOf(trace).map((one) => one.state)]);
  const frame = frames.find(({ payload }) => !shown.has(payload?.['status']));
  const actual = { status: frame?.payload?.['status'] };
  return frame && { frame, expected: { status: state }, actual };
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

const orderUpdatesSent = defineRule({
  id: 'event.order-updated.sent',
  title: 'Every change of status goes to the sender and its custodian, on each stream that is open',
  requirements: [
    'event.order-updated.sent',
    ...Object.values(onChange),
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
      const framesTo = (stream: StreamTrace) => framesOn(trace, stream, 'order_updated');
      for (const change of changesOf(trace)) {
        assertDelivered(findings, {
          trace,
          event: 'order_updated',
          about: `of an order that became ${change.state}`,
          cause: change,
          due: streamsDue(view, trace, 'order_updated', audience, change),
          frameOn: (stream) =>
            framesTo(stream).find(({ payload }) => payload?.['status'] === change.state),
          shows: { status: change.state },
          insteadOn: (stream) => showsInstead(trace, framesTo(stream), change.state),
          requirements: (stream) => requirementsOf(trace, change.state, stream),
        });
      }
    }
  },
});

const stateIn = ({ payload }: TraceFrame): OrderState | undefined => {
  const status = textOf(payload, 'status');
  return isOrderState(status) ? status : undefined;
};

const barred = {
  stranger: ['event.order-updated.not-to-strangers', 'has no part in the order'],
  // Among institutions an order is its creator's; being named as the receiver changes nothing.
  receiver: ['event.order-updated.not-to-receiver', 'is only the receiver'],
} as const;

const orderUpdatesToParties = defineRule({
  id: 'event.order-updated.to-parties',
  title: 'order_updated goes to nobody without a part in the order, and to no mere receiver',
  requirements: Object.values(barred).map(([requirement]) => requirement),
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      const barredFor = (party: string) => {
        const relation = relationOf(view, trace, party);
        return relation === 'stranger' || relation === 'receiver' ? barred[relation] : undefined;
      };
      const [cause] = changesOf(trace);
      const barring = (party: string) => barredFor(party)?.[0];
      const audience = { trace, event: 'order_updated', cause, barring } as const;
      assertAudience(view, findings, audience, (party) => ({
        message: `order_updated went to ${party}, which ${barredFor(party)?.[1]}`,
      }));
    }
  },
});

const orderUpdatesInOrder = defineRule({
  id: 'event.order-updated.right',
  title: 'order_updated comes once for each change, in the order of the changes, after its cause',
  requirements: [
    'event.order-updated.once',
    // Also judged by `event.creations-told`, which compares orders: this looks at one order.
    'event.order-updated.only-on-change',
    // Also judged by the rules of the other events, each for its own.
    'event.in-order',
    'event.after-cause',
  ],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      const frames = framesOf(trace, 'order_updated').filter(({ seen }) => stateIn(seen));
      for (const { seen, before } of withRepeats(frames, ({ seen: one }) => stateIn(one) ?? '')) {
        judgeRepeat(trace, seen, before);
        judgeCause(trace, seen);
      }
      const last = new Map<string, TraceFrame>();
      for (const one of frames) {
        judgeOrder(one, last.get(one.stream.id));
        last.set(one.stream.id, one.seen);
      }
    }

    function judgeRepeat(trace: OrderTrace, seen: TraceFrame, before?: TraceFrame): void {
      const state = stateIn(seen);
      // The effect of a proposal's acceptance is open.
      if (state === 'PENDING' && possiblyEffective(trace.proposals).length > 0) return;
      const requirement =
        state === 'PENDING' ? 'event.order-updated.only-on-change' : 'event.order-updated.once';
      findings.assert(requirement, !before, seen.id, () => ({
        message: `order_updated came with ${state} more than once on one stream`,
        fields: ['status'],
        evidence: [before?.id ?? '', seen.id],
      }));
    }

    function judgeOrder({ seen }: Delivered, earlier: TraceFrame | undefined): void {
      const [from, to] = [earlier && stateIn(earlier), stateIn(seen)];
      if (!earlier || !from || !to || from === to) return;
      findings.assert('event.in-order', reaches(from, to), seen.id, () => ({
        message: `order_updated came with ${to} after ${from}`,
        evidence: [earlier.id, seen.id],
      }));
    }

    function judgeCause({ creation, acceptances }: OrderTrace, seen: TraceFrame): void {
      if (!creation) return;
      const state = stateIn(seen);
      const first = firstPossiblyEffective(acceptances);
      const needsAcceptance = state !== undefined && acceptedStates.includes(state);
      const cause = needsAcceptance && first ? first : creation;
      findings.assert('event.after-cause', seen.at > cause.open, seen.id, () => ({
        message: `order_updated came with ${state} before ${cause === creation ? 'the order was created' : 'a quote was accepted'}`,
        evidence: [seen.id, cause.id],
      }));
    }
  },
});

const orderUpdatesAgree = defineRule({
  id: 'event.order-updated.content',
  title: 'order_updated shows the order as a read does',
  requirements: ['event.order-updated.agrees-with-read'],
  judge(view, findings) {
    const requirement = 'event.order-updated.agrees-with-read';
    for (const trace of view.orders.values()) {
      for (const { seen } of framesOf(trace, 'order_updated')) {
        judgeNulls(seen);
        for (const field of constantFields) judgeField(trace, seen, field);
      }
    }

    function judgeField(trace: OrderTrace, seen: TraceFrame, field: string): void {
      const delivered = seen.payload?.[field];
      if (!isSet(delivered)) return;
      const read = trace.snapshots.find(({ whole, value }) => whole && isSet(value[field]));
      if (!read) return;
      const holds = equalValues(field, read.value[field], delivered);
      findings.assert(requirement, holds, seen.id, () => ({
        message: `${field} in order_updated was not what a read shows`,
        fields: [field],
        expected: read.value[field],
        actual: delivered,
        evidence: [read.source, seen.id],
      }));
    }

    /** The payload is open (gap `event.payload`), but null in a whole order says that there is no value. */
    function judgeNulls(seen: TraceFrame): void {
      const { payload, id } = seen;
      const state = stateIn(seen);
      if (!wholeFields.every((field) => isSet(payload?.[field]))) return;
      if (state === undefined || !acceptedStates.includes(state)) return;
      const set = [...acceptanceFields, ...(state === 'SETTLED' ? settlementFields : [])];
      const nulls = set.filter((field) => payload?.[field] === null);
      findings.assert(requirement, nulls.length === 0, id, () => ({
        message: `order_updated showed an order in ${state} without ${nulls.join(', ')}`,
        fields: [...nulls, 'status'],
        actual: payload,
      }));
    }
  },
});

/** Fields that every order has from its creation: a payload with all of them is an order, not a part of one. */
const wholeFields = [
  'intent_id',
  'sender_party_id',
  'target_amount',
  'source_amount_max',
  'created_at',
  'expires_at',
] as const;

const constantFields = [
  ...wholeFields.slice(1),
  'sender_custodian_party_id',
  'receiver_party_id',
  'receiver_custodian_party_id',
  'source_currency',
  'target_currency',
  ...acceptanceFields,
  ...settlementFields,
] as const;

export const orderUpdateRules = [
  orderUpdatesSent,
  orderUpdatesToParties,
  orderUpdatesInOrder,
  orderUpdatesAgree,
];
