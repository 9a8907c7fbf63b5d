import { heartbeat } from '../../spec/events.ts';
import { limits } from '../../spec/limits.ts';
import type { Claim } from '../steps.ts';
import { eventClaim, subjectOf } from './events.ts';
import type { Case } from './evidence.ts';
import { hiddenIn } from './privacy.ts';

const watchedMs = 2_000;
const heartbeatMs = limits.heartbeatIntervalMs + 5_000;

/**
 * Claims on the raw lines of a stream, for scripts only: a script has no rules. A scenario cannot express them and need
 * not: rules judge each message in it.
 */
export function lineClaims(one: Case): Claim[] {
  const subject = subjectOf(one);
  if (!subject?.frame) return [];
  const { frame, event, stream } = subject;
  const withinMs = event === heartbeat ? heartbeatMs : watchedMs;
  const lines = (must: Extract<Claim, { kind: 'lines' }>['must']): Claim[] => [
    { kind: 'lines', stream: stream.name, must, withinMs },
  ];
  if (event === '') return lines('have names');
  if (frame.data === undefined) return lines('have JSON');
  if (one.deviation === 'to others') return [eventClaim(subject, 'not come', [], withinMs)];
  if (one.deviation !== 'gives away') return [];
  return hiddenIn(JSON.stringify([frame.data, frame.text, frame.comments]), one)
    .slice(0, 1)
    .flatMap(({ value }) => lines({ lack: value }));
}
