import { heartbeat } from '../../spec/events.ts';
import { limits } from '../../spec/limits.ts';
import type { Claim } from '../steps.ts';
import { type Case, stepOf } from './evidence.ts';

const intervalMs = limits.heartbeatIntervalMs;
/** What two clocks, and the way of a message, may add. */
const slackMs = 5_000;
/** A flow that takes longer shows nothing that a person would wait for. */
const mostIntervals = 20;

/** How many heartbeats a stream must carry at least and may carry at most while it is watched. */
export function heartbeatClaims(one: Case): Claim[][] {
  const stream = streamIn(one);
  if (stream === undefined || !/heartbeat|anything/.test(one.message)) return [];
  const claim = (must: Extract<Claim, { kind: 'event' }>['must'], withinMs: number): Claim[] => [
    { kind: 'event', stream, event: heartbeat, fields: [], must, withinMs },
  ];
  if (/was without/.test(one.message)) {
    // The first ones may have come: so many intervals as were watched, then as many as anybody would wait for.
    const watchedS = Number(/ in (\d+) s$/.exec(String(one.actual))?.[1] ?? 0);
    const whole = Math.floor(watchedS / (intervalMs / 1_000));
    return [1, 2, Math.min(whole, mostIntervals), mostIntervals].map((count) =>
      claim({ atLeast: Math.max(1, count) }, Math.max(1, count) * intervalMs + slackMs),
    );
  }
  const apart = /heartbeats were ([\d.]+) s apart/.exec(one.message)?.[1];
  if (apart === undefined) return [];
  const apartMs = Number(apart) * 1_000;
  for (let count = 1; count <= mostIntervals; count += 1) {
    const watchedMs = count * intervalMs + slackMs;
    const seen = apartMs > 0 ? Math.floor(watchedMs / apartMs) : Infinity;
    // One may come with the opening of the stream.
    if (seen > count + 1) return [claim({ atMost: count + 1 }, watchedMs)];
    if (seen + 1 < count) return [claim({ atLeast: count }, watchedMs)];
  }
  return [];
}

function streamIn(one: Case): string | undefined {
  for (const record of one.evidence.toReversed()) {
    const id = record.kind === 'frame' ? record.stream : record.id;
    const step = stepOf(one, id);
    if (step?.kind === 'listen') return step.name;
  }
  return undefined;
}
