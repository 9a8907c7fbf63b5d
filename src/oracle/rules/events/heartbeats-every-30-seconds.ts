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

/** The longest time in which a stream certainly carried nothing. */
function longestSilence(stream: StreamTrace): Silence {
  let from = stream.openedMs;
  let last = stream.id;
  let longest: Silence = { ms: 0, evidence: [stream.id] };
  const take = (ms: number, evidence: readonly string[]): void => {
    if (ms > longest.ms) longest = { ms, evidence };
  };
  for (const seen of stream.frames) {
    // After `openUntilMs` the history may lack some of the frames that the stream carried.
    take(Math.min(earliest(seen), stream.openUntilMs) - from, [last, seen.id]);
    from = Math.max(from, latest(seen));
    last = seen.id;
  }
  take(stream.openUntilMs - from, [stream.id, last]);
  return longest;
}

/** True if the two frames may have been one interval apart. */
const isAnInterval = (from: TraceFrame, to: TraceFrame): boolean =>
  latest(to) - earliest(from) >= least && earliest(to) - latest(from) <= most;

interface BeatPair {
  readonly before: TraceFrame;
  readonly between: readonly TraceFrame[];
  readonly beat: TraceFrame;
}

/** Each heartbeat of a stream after the first, with the one before it. */
function pairsOfBeats({ frames }: StreamTrace): readonly BeatPair[] {
  const pairs: BeatPair[] = [];
  let before: TraceFrame | undefined;
  let between: TraceFrame[] = [];
  for (const seen of frames) {
    if (seen.frame.event !== heartbeat) {
      between.push(seen);
      continue;
    }
    if (before) pairs.push({ before, between, beat: seen });
    before = seen;
    between = [];
  }
  return pairs;
}

/** A heartbeat this many milliseconds after an event is a clock's, and does not follow the event. */
const apart = 2 * tolerance.heartbeat;

/**
 * True if this target's heartbeats follow a clock: at least one came on time though an event lay between it and the one
 * before. A keepalive that counts from the last event (gap `heartbeat.phase`) would have come later.
 */
function followsClock(view: HistoryView): boolean {
  return view.streams.flatMap(pairsOfBeats).some(({ before, between, beat }) => {
    const event = between.find((seen) => earliest(seen) - latest(before) > apart);
    const isOnTime =
      latest(beat) - earliest(before) <= most && earliest(beat) - latest(before) >= least;
    return event && isOnTime && latest(beat) - earliest(event) < least;
  });
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
      // If a clock sets the heartbeats, the other frames of a stream make no difference.
      const silence = longestSilence(clocked ? { ...stream, frames: beats } : stream);
      const there = `event.heartbeat.${stream.kind}-stream` as const;
      const interval = `limit.heartbeat-interval.${stream.kind}-stream` as const;
      const violation = {
        message: `a stream was without ${clocked ? 'a heartbeat' : 'anything'} for ${Math.round(silence.ms / 1000)} s`,
        must: { words: 'a heartbeat every 30 s' },
        actual: `${beats.length} heartbeats in ${Math.round((stream.endedMs - stream.openedMs) / 1000)} s`,
        evidence: silence.evidence,
      };
      if (silence.ms > most) findings.fail(beats.length === 0 ? there : interval, violation);
      if (beats.length > 0) findings.pass(there, beats[0]?.id ?? stream.id);
      for (const [index, pair] of pairsOfBeats(stream).entries()) {
        judgeInterval(interval, pair, index > 0);
      }
    }

    function judgeInterval(
      requirement: `limit.heartbeat-interval.${'order' | 'maker'}-stream`,
      { before, between: [...events], beat }: BeatPair,
      mustBeApart: boolean,
    ): void {
      const between = events.at(-1);
      const longest = latest(beat) - earliest(before);
      const violation = () => ({
        message: `two heartbeats were ${longest / 1000} s apart`,
        must: { at_least: least / 1_000, at_most: most / 1_000 },
        actual: longest / 1000,
        evidence: [before.id, beat.id],
      });
      if (longest < least) {
        if (mustBeApart) findings.fail(requirement, violation());
      } else if (earliest(beat) - latest(before) <= most) {
        if (between) findings.pass('event.heartbeat.during-traffic', beat.id);
        // If a clock sets the heartbeats, a busy stream shows the interval as well as a quiet one.
        if (!between || clocked) findings.pass(requirement, beat.id);
      } else if (between && !isAnInterval(between, beat)) {
        findings.warn('event.heartbeat.during-traffic', { ...violation(), departure: 'vague' });
      }
    }
  },
});
