import { groupBy } from '../../history/group-by.ts';
import type { Frame, HistoryRecord, Span, StreamEnd } from '../../history/records.ts';
import { intentIdOf, payloadOf } from '../../protocol/event-payload.ts';
import type { JsonObject } from '../../protocol/json.ts';
import type { StreamName } from '../../spec/events.ts';
import type { Role } from '../../spec/vocabulary.ts';
import type { Call } from './calls.ts';

export interface TraceFrame {
  readonly frame: Frame;
  readonly id: string;
  readonly at: number;
  /** The object that carries the fields named for its event: the payload itself, or one within it. */
  readonly payload: JsonObject | undefined;
  readonly intentId: string | undefined;
}

/** One stream from its opening to its end, or to the end of the history. */
export interface StreamTrace {
  readonly id: string;
  readonly call: Call;
  readonly party: string;
  readonly role: Role;
  readonly kind: StreamName;
  /** The one order that it is limited to. */
  readonly filter: string | undefined;
  /** Asked to resume: its first frames may be old. */
  readonly resumed: boolean;
  readonly frames: readonly TraceFrame[];
  readonly openedMs: number;
  /** The stream was certainly open until `openUntilMs`, and certainly closed after `endedMs`. */
  readonly openUntilMs: number;
  readonly endedMs: number;
  readonly end: number;
  readonly ended: StreamEnd | undefined;
}

/** Time after its opening in which a resumed stream may carry missed events, in milliseconds. */
const resumeWindowMs = 4_000;

/** True if the frame came while a resumed stream caught up: its content may be old (gap `stream.resume`). */
export const isCaughtUp = (
  { resumed, openedMs }: StreamTrace,
  { frame }: Pick<TraceFrame, 'frame'>,
): boolean => resumed && frame.received < openedMs + resumeWindowMs;

/**
 * The earlier frame, which must not come again; undefined if it came while the stream caught up. A backend that reads
 * old events while it listens for new ones may read the same event from both.
 */
export const earlierDelivery = (
  stream: StreamTrace,
  before: TraceFrame | undefined,
): TraceFrame | undefined => (before && isCaughtUp(stream, before) ? undefined : before);

const seen = (frame: Frame, at: number): TraceFrame => {
  const payload = payloadOf(frame);
  return { frame, id: frame.id, at, payload, intentId: intentIdOf(frame, payload) };
};

const hasResume = (call: Call): boolean =>
  Object.keys(call.exchange.request.headers).some((name) => name === 'last-event-id') ||
  Object.keys(call.exchange.query).some((name) => /last.?event/i.test(name));

/** Time until which the history holds everything that a party did from a moment on. */
const recordedFrom = (recorded: readonly Span[] | undefined, ms: number): number =>
  recorded?.find(({ sent, received }) => sent <= ms && ms <= received)?.received ??
  (recorded ? ms : Number.POSITIVE_INFINITY);

/**
 * All streams that opened, in the order in which they did.
 * @param recorded see OracleContext
 */
export function streamsOf(
  records: readonly HistoryRecord[],
  calls: readonly Call[],
  endOfHistoryMs: number,
  recorded?: (party: string) => readonly Span[],
): StreamTrace[] {
  const ends = new Map<string, [StreamEnd, number]>();
  const all = records.flatMap((record, index) => {
    if (record.kind === 'end') ends.set(record.stream, [record, index]);
    return record.kind === 'frame' ? [seen(record, index)] : [];
  });
  const frames = groupBy(all, ({ frame }) => frame.stream);
  return calls
    .filter(({ exchange, ok }) => exchange.opensStream && ok)
    .map((call) => {
      const end = ends.get(call.id);
      const until = end ? (end[0].after ?? end[0].at) : endOfHistoryMs;
      const openedMs = call.exchange.received;
      return {
        id: call.id,
        call,
        party: call.party,
        role: call.exchange.role,
        kind: call.endpoint === 'maker.events' ? 'maker' : 'order',
        filter: call.exchange.query['intent_id'],
        resumed: hasResume(call),
        frames: frames.get(call.id) ?? [],
        openedMs,
        openUntilMs: Math.min(until, recordedFrom(recorded?.(call.party), openedMs)),
        endedMs: end ? end[0].at : endOfHistoryMs,
        end: end ? end[1] : records.length,
        ended: end?.[0],
      };
    });
}
