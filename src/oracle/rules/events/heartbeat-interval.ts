import { heartbeat } from '../../../spec/events.ts';
import { limits } from '../../../spec/limits.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { defineRule } from '../../findings.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import type { TraceFrame, StreamTrace } from '../../trace/streams.ts';

const most = limits.heartbeatIntervalMs + tolerance.heartbeat;
const least = limits.heartbeatIntervalMs - tolerance.heartbeat;

/** When a frame was sent: no later than it was read, and under a driven clock no earlier than `after`. */
const earliest = ({ frame }: TraceFrame): number => frame.after ?? frame.received;
const latest = ({ frame }: TraceFrame): number => frame.received;

interface Silence {
  readonly ms: number;
  readonly evidence: readonly string[];
}

/** The longest stretch in which a stream surely carried nothing. */
function longestSilence(stream: StreamTrace): Silence {
  let from = stream.openedMs;
  let last = stream.id;
  let longest: Silence = { ms: 0, evidence: [stream.id] };
  const take = (ms: number, evidence: readonly string[]): void => {
    if (ms > longest.ms) longest = { ms, evidence };
  };
  for (const seen of stream.frames) {
    take(earliest(seen) - from, [last, seen.id]);
    from = Math.max(from, latest(seen));
    last = seen.id;
  }
  take(stream.openUntilMs - from, [stream.id, last]);
  return longest;
}

/** How far from a heartbeat an event must lie to tell a clock's heartbeat from one that follows the last event. */
const apart = 2 * tolerance.heartbeat;

/**
 * Whether this target's heartbeats follow a clock: somewhere one came on time though an event lay between it and the
 * one before. A keepalive that counts from the last event (gap `heartbeat.phase`) would have come later.
 */
function followsClock(view: HistoryView): boolean {
  return view.streams.some((stream) => {
    let before: TraceFrame | undefined;
    let event: TraceFrame | undefined;
    for (const seen of stream.frames) {
      if (seen.frame.event !== heartbeat) {
        if (before && earliest(seen) - latest(before) > apart) event ??= seen;
        continue;
      }
      const onTime =
        before !== undefined &&
        latest(seen) - earliest(before) <= most &&
        earliest(seen) - latest(before) >= least;
      if (event && onTime && latest(seen) - earliest(event) < least) return true;
      before = seen;
      event = undefined;
    }
    return false;
  });
}

/** The longest stretch in which a stream surely carried no heartbeat, whatever else it carried. */
function longestWait(stream: StreamTrace): Silence {
  const beats = stream.frames.filter(({ frame }) => frame.event === heartbeat);
  return longestSilence({ ...stream, frames: beats });
}

/**
 * The phase is open: from a stream's own start, on connect too, on one tick common to all, from the last event
 * (gap `heartbeat.phase`). All of them agree on this much: no silence is longer than the interval, and no two
 * heartbeats are closer, save the first two.
 */
export const heartbeatInterval = defineRule({
  id: 'stream.heartbeats',
  title: 'A quiet stream carries a heartbeat every 30 seconds',
  requirements: [
    'event.heartbeat.order-stream',
    'event.heartbeat.maker-stream',
    'limit.heartbeat-interval.order-stream',
    'limit.heartbeat-interval.maker-stream',
    'event.heartbeat.during-traffic',
  ],
  judge(view, findings) {
    const clocked = followsClock(view);
    for (const stream of view.streams) {
      if (!stream.call.own) continue;
      const beats = stream.frames.filter(({ frame }) => frame.event === heartbeat);
      // Where a clock sets them, what else a stream carries makes no difference.
      const silence = clocked ? longestWait(stream) : longestSilence(stream);
      const there = `event.heartbeat.${stream.kind}-stream` as const;
      const interval = `limit.heartbeat-interval.${stream.kind}-stream` as const;
      const violation = {
        message: `a stream was without ${clocked ? 'a heartbeat' : 'anything'} for ${Math.round(silence.ms / 1000)} s`,
        expected: 'a heartbeat every 30 s',
        actual: `${beats.length} heartbeats in ${Math.round((stream.endedMs - stream.openedMs) / 1000)} s`,
        evidence: silence.evidence,
      };
      if (silence.ms > most) findings.fail(beats.length === 0 ? there : interval, violation);
      if (beats.length > 0) findings.pass(there, beats[0]?.id ?? stream.id);
      judgeIntervals(stream, beats, interval);
    }

    function judgeIntervals(
      stream: StreamTrace,
      beats: readonly TraceFrame[],
      interval: `limit.heartbeat-interval.${'order' | 'maker'}-stream`,
    ): void {
      for (const [index, beat] of beats.entries()) {
        const before = beats[index - 1];
        if (!before) continue;
        const shortest = earliest(beat) - latest(before);
        const longest = latest(beat) - earliest(before);
        const violation = () => ({
          message: `two heartbeats were ${longest / 1000} s apart`,
          expected: '30 s',
          actual: longest / 1000,
          evidence: [before.id, beat.id],
        });
        const busy = hasBetween(stream, before, beat);
        if (longest < least) {
          if (index > 1) findings.fail(interval, violation());
        } else if (shortest <= most) {
          if (busy) findings.pass('event.heartbeat.during-traffic', beat.id);
          // Where a clock sets them, a busy stream shows the interval as well as a quiet one.
          if (!busy || clocked) findings.pass(interval, beat.id);
        } else if (busy && !sinceLastEvent(stream, beat)) {
          findings.warn('event.heartbeat.during-traffic', violation());
        }
      }
    }
  },
});

/** Whether a heartbeat came an interval after whatever came last before it (gap `heartbeat.phase`). */
function sinceLastEvent(stream: StreamTrace, beat: TraceFrame): boolean {
  const before = stream.frames.findLast(({ at }) => at < beat.at);
  if (!before) return false;
  return latest(beat) - earliest(before) >= least && earliest(beat) - latest(before) <= most;
}

/** Whether anything else came between two frames of a stream. */
function hasBetween(stream: StreamTrace, a: TraceFrame, b: TraceFrame): boolean {
  const index = indexAfter(stream.frames, a.at);
  const next = stream.frames[index];
  return next !== undefined && next.at < b.at;
}

/** Frames stand in the order of their places: the first one beyond a place. */
function indexAfter(frames: readonly TraceFrame[], place: number): number {
  let low = 0;
  let high = frames.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((frames[middle]?.at ?? Number.POSITIVE_INFINITY) <= place) low = middle + 1;
    else high = middle;
  }
  return low;
}

const framedEvents = [
  ['order_updated', 'intent_id', 'event.order-updated.has-intent-id'],
  ['order_updated', 'status', 'event.order-updated.has-status'],
  ['quote_received', 'fx_rate', 'event.quote-received.has-fx-rate'],
  ['quote_received', 'target_amount', 'event.quote-received.has-target-amount'],
  ['quote_request_new', 'intent_id', 'event.quote-request-new.names-request'],
  ['quote_accepted', 'intent_id', 'event.quote-accepted.has-intent-id'],
  ['quote_accepted', 'fx_rate', 'event.quote-accepted.has-fx-rate'],
  ['quote_rejected', 'intent_id', 'event.quote-rejected.has-intent-id'],
  ['settlement_completed', 'transaction_hash', 'event.settlement-completed.has-transaction-hash'],
] as const;

export const eventPayloads = defineRule({
  id: 'event.payloads',
  title: 'Each event carries the fields that part 6 names for it',
  requirements: framedEvents.map(([, , requirement]) => requirement),
  judge(view, findings) {
    for (const stream of view.streams) {
      for (const { frame, payload, id } of stream.frames) {
        for (const [event, field, requirement] of framedEvents) {
          if (frame.event !== event) continue;
          const value = payload?.[field];
          const holds = typeof value === 'string' && value !== '';
          findings.assert(requirement, holds, id, () => ({
            message: `${event} did not carry ${field}`,
            actual: frame.data ?? frame.text,
            evidence: [id],
          }));
        }
      }
    }
  },
});

export const streamFilter = defineRule({
  id: 'stream.filters',
  title: 'A stream limited to one order carries no event of another',
  requirements: ['stream.intent-filter.only-that-order'],
  judge(view, findings) {
    for (const stream of view.streams) {
      if (stream.filter === undefined || !stream.call.own) continue;
      for (const { frame, intentId, payload, id } of stream.frames) {
        if (frame.event === heartbeat) continue;
        const quoteId = payload?.['quote_id'];
        const known =
          intentId ??
          (typeof quoteId === 'string' ? view.quotes.get(quoteId)?.intentId : undefined);
        if (known === undefined) continue;
        findings.assert(
          'stream.intent-filter.only-that-order',
          known === stream.filter,
          id,
          () => ({
            message: `a stream limited to one order carried ${frame.event} of another`,
            expected: stream.filter,
            actual: known,
            evidence: [stream.id, id],
          }),
        );
      }
    }
  },
});
