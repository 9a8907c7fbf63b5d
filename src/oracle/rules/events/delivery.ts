import type { JsonObject } from '../../../protocol/json.ts';
import { eventKinds, type EventName } from '../../../spec/events.ts';
import type { RequirementId } from '../../../spec/requirements/index.ts';
import type { Findings, Violation } from '../../findings.ts';
import {
  type Cause,
  framesOn,
  isDeliveredLate,
  mustDeliver,
  streamsByParty,
} from '../../trace/event-delivery.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import { earlierDelivery, type StreamTrace, type TraceFrame } from '../../trace/streams.ts';
import type { OrderTrace } from '../../trace/traces.ts';

/** A frame that came in place of the one that was due, with the fields that differ. */
export interface Instead {
  readonly frame: TraceFrame;
  readonly expected: JsonObject;
  readonly actual: JsonObject;
}

/** One event of one order that some streams must carry. */
interface RequiredDelivery<Id extends RequirementId> {
  readonly trace: OrderTrace;
  readonly event: EventName;
  /** Subject of the event in words, as "of an order that became QUOTED". */
  readonly about: string;
  readonly cause: Cause;
  readonly due: readonly StreamTrace[];
  readonly frameOn: (stream: StreamTrace) => TraceFrame | undefined;
  /** Fields that distinguish it from other events of its kind. */
  readonly shows?: JsonObject;
  readonly insteadOn?: (stream: StreamTrace) => Instead | undefined;
  readonly requirements: (stream: StreamTrace) => readonly (Id | false)[];
}

export type DeliveryRequirement = 'event.live' | 'event.every-open-stream';

/** Streams of the event's kind that some parties had open all the while, limited to no other order. */
export const streamsDue = (
  view: HistoryView,
  { id }: OrderTrace,
  event: EventName,
  parties: Iterable<string | undefined>,
  cause: Cause,
): readonly StreamTrace[] =>
  [...new Set(parties)].flatMap((party) =>
    (party === undefined ? [] : view.once(streamsByParty)(party)).filter(
      (stream) =>
        stream.kind === eventKinds[event].stream &&
        (stream.filter === undefined || stream.filter === id) &&
        mustDeliver(stream, cause),
    ),
  );

/** Judges the requirements of part 6 on every event: it comes on each stream that is due it, and while it is news. */
export function assertDelivered<Id extends RequirementId>(
  findings: Findings<Id | DeliveryRequirement>,
  {
    trace,
    event,
    about,
    cause,
    due,
    frameOn,
    shows,
    insteadOn,
    requirements,
  }: RequiredDelivery<Id>,
): void {
  const delivered = new Map(due.map((stream) => [stream, frameOn(stream)]));
  for (const [stream, frame] of delivered) {
    const instead = frame ? undefined : insteadOn?.(stream);
    findings.assert(requirements(stream), frame !== undefined, frame?.id ?? cause.source, () =>
      instead
        ? {
            message: `${event} to ${stream.party} ${about} showed something else`,
            deviation: 'wrong value',
            expected: instead.expected,
            actual: instead.actual,
            evidence: [cause.source, instead.frame.id],
          }
        : {
            message: `no ${event} went to ${stream.party} ${about}`,
            deviation: 'not sent',
            event,
            fields: event === 'order_updated' ? ['status'] : [],
            expected: { event, intent_id: trace.id, ...shows },
            evidence: [stream.id, cause.source],
          },
    );
    if (frame && isDeliveredLate(frame, cause)) {
      findings.warn('event.live', {
        departure: 'vague',
        message: `${event} came ${(frame.frame.received - cause.byMs) / 1000} s after its cause was known`,
        evidence: [cause.source, frame.id],
      });
    } else if (frame) findings.pass('event.live', frame.id);
  }
  for (const party of new Set(due.map((stream) => stream.party))) {
    const own = [...delivered].filter(([stream]) => stream.party === party);
    if (own.length < 2 || !own.some(([, frame]) => frame)) continue;
    const missed = own.find(([, frame]) => !frame)?.[0];
    findings.assert('event.every-open-stream', !missed, cause.source, () => ({
      message: `of ${own.length} open streams of one party one did not carry ${event}`,
      event,
      evidence: [cause.source, missed?.id ?? ''],
    }));
  }
}

export const firstOn =
  (trace: OrderTrace, event: EventName) =>
  (stream: StreamTrace): TraceFrame | undefined =>
    framesOn(trace, stream, event)[0];

/** The requirement that a delivery on an order stream exercises: by its limit, or for having none. */
export const limitRequirement = ({ filter, role }: StreamTrace) => {
  if (filter === undefined) return 'stream.unfiltered-has-all';
  if (role === 'custodian') return 'stream.intent-filter.for-custodian';
  return 'stream.intent-filter.all-of-that-order';
};

export interface Delivered {
  readonly stream: StreamTrace;
  readonly seen: TraceFrame;
}

/** Frames of one subject, each with the last one of the same key on the same stream, unless that stream caught up. */
export function withRepeats<T extends Delivered>(
  frames: readonly T[],
  keyOf: (frame: T) => string = () => '',
): readonly (T & { readonly before: TraceFrame | undefined })[] {
  const last = new Map<string, TraceFrame>();
  return frames.map((frame) => {
    const key = `${frame.stream.id} ${keyOf(frame)}`;
    const before = earlierDelivery(frame.stream, last.get(key));
    last.set(key, frame.seen);
    return { ...frame, before };
  });
}

export function assertDeliveredOnce<Id extends RequirementId>(
  findings: Findings<Id>,
  requirement: Id,
  frames: readonly Delivered[],
): void {
  for (const { seen, before } of withRepeats(frames)) {
    findings.assert(requirement, !before, seen.id, () => ({
      message: `${seen.frame.event} came twice for one cause on one stream`,
      fields: ['intent_id', 'quote_id'],
      actual: seen.intentId,
      evidence: [before?.id ?? '', seen.id],
    }));
  }
}

export const framesOf = (trace: OrderTrace, event: EventName): readonly Delivered[] =>
  trace.frames.filter(({ seen }) => seen.frame.event === event);

/** An event of an order, with the frames that carried it to anybody. */
interface Audience<Id> {
  readonly trace: OrderTrace;
  readonly event: EventName;
  readonly frames?: readonly Delivered[];
  readonly cause: Cause | undefined;
  readonly barring: (party: string) => Id | undefined;
}

/** Judges that no party got an event that it must not get. */
export function assertAudience<Id extends RequirementId>(
  view: HistoryView,
  findings: Findings<Id>,
  { trace, event, frames = framesOf(trace, event), cause, barring }: Audience<Id>,
  violation: (party: string) => Omit<Violation, 'evidence'>,
): void {
  for (const { stream, seen } of frames) {
    const requirement = barring(stream.party);
    const evidence = [stream.id, seen.id];
    if (requirement) findings.fail(requirement, { ...violation(stream.party), evidence });
  }
  if (!cause) return;
  // Only a stream that was open all the while, and carried none, shows that its party gets none.
  for (const stream of view.streams) {
    if (stream.kind !== eventKinds[event].stream || !mustDeliver(stream, cause)) continue;
    const requirement = barring(stream.party);
    if (requirement === undefined || framesOn(trace, stream, event).length > 0) continue;
    findings.pass(requirement, stream.id);
  }
}
