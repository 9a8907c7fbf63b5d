import { type EventName, eventKinds, heartbeat } from '../../../spec/events.ts';
import { limits } from '../../../spec/limits.ts';
import type { RequirementId } from '../../../spec/requirements/index.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { defineRule } from '../../findings.ts';
import { issuedTokens } from '../auth/token-claims.ts';
import { timestampIn } from '../../trace/snapshots.ts';
import type { Call } from '../../trace/calls.ts';
import { type OrderTrace, showsTerminal, orderStateOf } from '../../trace/traces.ts';
import type { StreamTrace } from '../../trace/streams.ts';
import type { HistoryView } from '../../trace/history-view.ts';

const most = limits.heartbeatIntervalMs + tolerance.heartbeat;
const least = limits.heartbeatIntervalMs - tolerance.heartbeat;

/** Whether a target may have had a reason to end a stream. */
function isExcused(view: HistoryView, stream: StreamTrace): boolean {
  return (
    isDisplaced(view, stream) || hasDeliveredAll(view, stream) || hasOutlivedToken(view, stream)
  );
}

/** A stream may end with the token that it was opened with (gap `stream.closing`). */
function hasOutlivedToken(
  view: HistoryView,
  { call, party, openedMs, endedMs }: StreamTrace,
): boolean {
  const { least, most: latest } = view.context.offset;
  const [from, to] = [openedMs + least - tolerance.stamp, endedMs + latest + tolerance.stamp];
  return view.once(issuedTokens).some(([token, { exp }]) => {
    if (token.party !== party || token.close >= call.open) return false;
    // What had expired before cannot have opened the stream.
    return typeof exp === 'number' && exp * 1_000 >= from && exp * 1_000 <= to;
  });
}

/** Of one order that has ended there is nothing left to tell (gap `stream.closing`). */
function hasDeliveredAll(view: HistoryView, { filter, party, endedMs }: StreamTrace): boolean {
  const snapshots = view.orders.get(filter ?? '')?.snapshots ?? [];
  if (!snapshots.some(showsTerminal)) return false;
  const settledAt = timestampIn(snapshots, 'settled_at') ?? Number.NEGATIVE_INFINITY;
  if (settledAt - view.context.offset.most - tolerance.stamp > endedMs) return false;
  // An event may have been under way for a while; what a party reads is so, of its own backend.
  return !snapshots.some((seen) => {
    const lag = seen.party === party ? 0 : tolerance.replicationLagMs;
    return !seen.frame && seen.from > endedMs + lag && !showsTerminal(seen);
  });
}

/** One party may be granted one stream only, the newer closing the older (gap `stream.per_party`). */
function isDisplaced(view: HistoryView, stream: StreamTrace): boolean {
  return view.streams.some(
    (other) =>
      other !== stream &&
      other.party === stream.party &&
      other.call.close > stream.call.close &&
      other.call.open < stream.end,
  );
}

export const streamStaysOpen = defineRule({
  id: 'stream.stays-open',
  title: 'A stream stays open at least from one heartbeat to the next',
  requirements: ['stream.stays-open'],
  judge(view, findings) {
    for (const stream of view.streams) {
      if (!stream.call.own) continue;
      const lasted = stream.endedMs - stream.openedMs;
      if (lasted > most) findings.pass('stream.stays-open', stream.id);
      else if (stream.ended?.cause === 'target' && lasted < least && !isExcused(view, stream)) {
        findings.fail('stream.stays-open', {
          message: `the target ended a stream ${lasted / 1000} s after it had opened`,
          expected: 'an open stream',
          evidence: [stream.id],
        });
      }
    }
  },
});

/** A network that breaks off so many streams, always at the same event, breaks them off for what they carry. */
const tooMany = 5;

const isSettled = ({ snapshots }: OrderTrace): boolean =>
  snapshots.some((seen) => orderStateOf(seen) === 'SETTLED');

/** Events that are due whenever something happens, and to how many orders it did. */
const occasions = {
  order_updated: ['event.order-updated.sent', ({ snapshots }) => snapshots.some(showsTerminal)],
  quote_received: ['event.quote-received.sent', ({ submissions }) => submissions.some(isDone)],
  quote_request_new: ['event.quote-request-new.sent', ({ creation }) => creation?.ok === true],
  quote_accepted: ['event.quote-accepted.sent', ({ acceptances }) => acceptances.some(isDone)],
  quote_rejected: [
    'event.quote-rejected.sent',
    (trace) =>
      trace.acceptances.some(isDone) &&
      new Set(trace.submissions.filter(isDone).map(({ party }) => party)).size > 1,
  ],
  settlement_completed: ['event.settlement-completed.sent', isSettled],
} as const satisfies Partial<
  Record<EventName, readonly [RequirementId, (trace: OrderTrace) => boolean]>
>;

function isDone({ ok }: Call): boolean {
  return ok;
}

/**
 * A stream that breaks off may be the network's fault, and what it would have carried is not missed: but not where all of
 * them do as soon as they have a certain thing to tell.
 */
export const streamOutlivesEvents = defineRule({
  id: 'stream.outlives-events',
  title: 'A stream goes on after an event',
  requirements: ['stream.stays-open', ...Object.values(occasions).map(([sent]) => sent)],
  judge(view, findings) {
    for (const kind of ['order', 'maker'] as const) {
      const streams = view.streams.filter((stream) => stream.kind === kind && stream.call.own);
      const broken = streams.filter(
        (stream) => stream.ended && stream.ended.cause !== 'us' && !isExcused(view, stream),
      );
      const delivered = new Map(streams.map((stream) => [stream, eventsOf(stream)]));
      const goesOn = streams.some((stream) => (delivered.get(stream) ?? []).length > 1);
      if (broken.length < tooMany) continue;
      const violation = (message: string) => ({
        message: `${broken.length} streams broke off, and ${message}`,
        expected: 'a stream that stays open',
        actual: broken[0]?.ended?.message ?? 'ended by the target',
        evidence: broken.slice(0, tooMany).map(({ id }) => id),
      });
      if (!goesOn)
        findings.fail('stream.stays-open', violation('none carried more than one event'));
      const known = new Set([...delivered.values()].flat());
      for (const [event, [sent, mustDeliver]] of Object.entries(occasions)) {
        if (eventKinds[event as EventName].stream !== kind || known.has(event)) continue;
        const due = [...view.orders.values()].filter(mustDeliver);
        if (due.length >= tooMany) findings.fail(sent, violation(`${event} never came`));
      }
    }
  },
});

const eventsOf = ({ frames }: StreamTrace): readonly string[] =>
  frames.map(({ frame }) => frame.event).filter((event) => event !== heartbeat);
