import type { Claim } from '../steps.ts';
import { type Case, stepOf } from './evidence.ts';
import { hiddenIn } from './hidden.ts';

const watchedMs = 2_000;
const heartbeatMs = 35_000;

/**
 * What the lines of a stream must be. A scenario has no words for it, and needs none: rules judge each message that it
 * sees. A script has no rules.
 */
export function streamClaims(one: Case): Claim[] {
  const frame = one.evidence.filter((record) => record.kind === 'frame').at(-1);
  const step = frame && stepOf(one, frame.stream);
  if (!frame || step?.kind !== 'listen') return [];
  const stream = step.name;
  const withinMs = frame.event === 'heartbeat' ? heartbeatMs : watchedMs;
  const { message } = one;
  if (message === 'a message came without an event name') {
    return [{ kind: 'lines', stream, must: 'have names', withinMs }];
  }
  if (/was not JSON$|came without data$/.test(message)) {
    return [{ kind: 'lines', stream, must: 'have JSON', withinMs }];
  }
  const stray = /^(\w+) came on the (?:order|maker) stream$/.exec(message)?.[1];
  if (stray !== undefined) {
    return [{ kind: 'event', stream, event: stray, fields: [], must: 'not come', withinMs }];
  }
  if (!/gave the sender's side away/.test(message)) return [];
  const shown = JSON.stringify([frame.data, frame.text, frame.comments]);
  return hiddenIn(shown, one)
    .slice(0, 1)
    .map((value) => ({ kind: 'lines', stream, must: { lack: value }, withinMs }));
}
