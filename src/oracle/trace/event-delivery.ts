import { groupBy } from '../../history/group-by.ts';
import { tolerance } from '../../protocol/tolerances.ts';
import type { Role } from '../../spec/vocabulary.ts';
import type { HistoryView } from './history-view.ts';
import type { StreamTrace, TraceFrame } from './streams.ts';
import type { OrderTrace } from './traces.ts';

/** Relation of a party of the order side to an order. `unknown`: the history shows too little to tell. */
export type Relation =
  | 'sender'
  | 'sender-custodian'
  | 'receiver-custodian'
  | 'receiver'
  | 'stranger'
  | 'unknown';

export function relationOf(view: HistoryView, trace: OrderTrace, party: string): Relation {
  if (trace.creation?.party === party) return 'sender';
  const id = view.partyIdOf(party);
  if (id === undefined) return 'unknown';
  const role = view.context.cast[party]?.role;
  /** A backend may name another party as itself: a party with another role is not that one. */
  const ifRole = (fits: Role, relation: Relation): Relation =>
    role === undefined || role === fits ? relation : 'unknown';
  if (!trace.creation && id === trace.senderId) return ifRole('institution', 'sender');
  if (id === trace.senderCustodianId) return ifRole('custodian', 'sender-custodian');
  if (id === trace.receiverCustodianId) return ifRole('custodian', 'receiver-custodian');
  if (id === trace.receiverId) return 'receiver';
  const complete =
    (trace.creation !== undefined || trace.senderId !== undefined) &&
    trace.senderCustodianId !== undefined &&
    trace.receiverCustodianId !== undefined;
  return complete ? 'stranger' : 'unknown';
}

/** An occurrence, with the time by which it is known to have happened. */
export interface Cause {
  /** Place before which a stream must have been open to be due its event for certain. */
  readonly since: number;
  /** Our millisecond by which it had happened, and the place at which that was known. */
  readonly byMs: number;
  readonly by: number;
  readonly source: string;
}

/** True if the stream was open from before the cause until its event must have come. */
export const mustDeliver = (stream: StreamTrace, cause: Cause): boolean =>
  stream.call.own &&
  stream.call.close < cause.since &&
  stream.end > cause.by &&
  stream.openUntilMs >= cause.byMs + tolerance.eventDeliveryMs;

export const causedBy = (call: {
  readonly open: number;
  readonly close: number;
  readonly id: string;
  readonly exchange: { readonly received: number };
}): Cause => ({ since: call.open, byMs: call.exchange.received, by: call.close, source: call.id });

/** True if the frame came so late that it counts as late: events should be live, but no figure is given. */
export const isDeliveredLate = (seen: TraceFrame, cause: Cause): boolean =>
  (seen.frame.after ?? seen.frame.received) > cause.byMs + tolerance.liveEventMs;

/** Streams by party, so that an order need not look at those of others. */
export function streamsByParty(view: HistoryView): (party: string) => readonly StreamTrace[] {
  const groups = groupBy(view.streams, ({ party }) => party);
  return (party) => groups.get(party) ?? [];
}

export const framesOn = (
  trace: OrderTrace,
  stream: StreamTrace,
  event: string,
): readonly TraceFrame[] =>
  trace.frames
    .filter((each) => each.stream === stream && each.seen.frame.event === event)
    .map(({ seen }) => seen);

export const makersOf = (view: HistoryView): readonly string[] => [
  ...new Set(view.streams.filter(({ kind }) => kind === 'maker').map(({ party }) => party)),
];
