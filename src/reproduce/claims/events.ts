import { isObject } from '../../history/json.ts';
import type { Frame } from '../../history/records.ts';
import { tolerance } from '../../protocol/tolerances.ts';
import { wholeDeviations } from '../../spec/deviations.ts';
import { heartbeat } from '../../spec/events.ts';
import { limits } from '../../spec/limits.ts';
import {
  type CallStep,
  type Claim,
  type ListenStep,
  plain,
  type Template,
  type Test,
  wasGranted,
} from '../steps.ts';
import { type Case, valueAt, reference, type Spot, stepOf } from './evidence.ts';
import { testsFor } from './evidence.ts';

type EventClaim = Extract<Claim, { kind: 'event' }>;
type Fields = EventClaim['fields'];

const intervalMs = limits.heartbeatIntervalMs;
/** Allowance for two clocks and the delivery of a message. */
const slackMs = 5_000;
const patienceMs = 10_000;
const watchedMs = 2_000;

/** Events of one kind, on one stream, of one order. */
interface Subject {
  readonly event: string;
  readonly stream: ListenStep;
  readonly order: Template | undefined;
  /** The event itself. Undefined if it did not come. */
  readonly frame: Frame | undefined;
}

export const eventClaim = (
  { event, stream, order }: Subject,
  must: EventClaim['must'],
  fields: Fields = [],
  withinMs = must === 'come' ? patienceMs : watchedMs,
): EventClaim => ({
  kind: 'event',
  stream: stream.name,
  event,
  ...(order && { of: order }),
  fields,
  must,
  withinMs,
});

/** Claims on events that must come, or must not come. */
export function eventClaims(one: Case): Claim[][] {
  const subject = subjectOf(one);
  if (!subject) return [];
  if (subject.event === heartbeat) return heartbeatClaims(one, subject);
  const { deviation } = one;
  if (deviation === 'not sent') return missingClaims(one, subject);
  if (deviation === 'repeated') return [[repeatedClaim(one, subject)]];
  if (deviation === 'late or early') return paceClaims(one, subject);
  return subject.frame ? neverClaims(subject) : [];
}

/** For an event that did not come, the evidence is the stream that lacked it and the cause of the event. */
export function subjectOf(
  one: Case,
  frame = one.evidence.findLast((record) => record.kind === 'frame'),
): Subject | undefined {
  const isMissing = one.deviation === 'not sent';
  const opened = one.evidence.find((record) => record.kind === 'exchange' && record.opensStream);
  const of = (isMissing && opened) || frame || opened;
  const stream = of && stepOf(one, of);
  if (stream?.kind !== 'listen') return undefined;
  const told = one.places?.find(({ event }) => event !== undefined)?.event;
  // On a stream without events, only the heartbeat is certainly due.
  const event = (isMissing ? told : undefined) ?? frame?.event ?? told ?? heartbeat;
  const named = isObject(one.expected) ? one.expected['intent_id'] : undefined;
  const shown = isObject(frame?.data) ? frame.data['intent_id'] : undefined;
  const order = [named, shown]
    .map((id) => reference(id, one))
    .find((template) => template.kind !== 'plain');
  return { event, stream, order, frame: isMissing ? undefined : frame };
}

/** The event must come: with the expected state, on one of the streams that lacked it, once per quote. */
function missingClaims(one: Case, subject: Subject): Claim[][] {
  const { event, stream, order } = subject;
  const state = isObject(one.expected) ? one.expected['status'] : undefined;
  const fields = state === undefined ? [] : [isStatus(state)];
  const or = one.evidence.flatMap((record) => {
    const step = record.kind === 'exchange' ? stepOf(one, record) : undefined;
    return step?.kind === 'listen' && step !== stream ? [step.name] : [];
  });
  const all = event === 'quote_received' ? quotesOn(one, order) : 1;
  return [
    [{ ...eventClaim(subject, 'come', fields), ...(or.length > 0 && { or }) }],
    ...(all > 1 ? [[eventClaim(subject, { atLeast: all }, [], patienceMs)]] : []),
  ];
}

const isStatus = (state: unknown): Fields[number] => [
  ['status'],
  { test: 'equals', value: plain(state) },
];

const stateOf = (frame: Frame | undefined): unknown =>
  isObject(frame?.data) ? frame.data['status'] : undefined;

function repeatedClaim(one: Case, subject: Subject): Claim {
  const { event, order, frame } = subject;
  const state = stateOf(frame);
  if (event === 'order_updated' && state !== undefined)
    return eventClaim(subject, 'come once at most', [isStatus(state)]);
  return eventClaim(subject, event === 'quote_received' ? quotesOn(one, order) : 1);
}

/** Each quote is announced once. */
function quotesOn({ steps }: Case, order: Template | undefined): number {
  const quotes = steps.filter(
    (step) =>
      step.kind === 'call' &&
      step.recorded.endpoint === 'quote.submit' &&
      wasGranted(step) &&
      JSON.stringify(step.intentId) === JSON.stringify(order),
  );
  return Math.max(1, quotes.length);
}

/** For an event that came too late or too early: the wait for it begins directly after its cause. */
function paceClaims(one: Case, subject: Subject): Claim[][] {
  const calls = one.steps.filter((step) => step.kind === 'call');
  const paced = (
    after: CallStep | undefined,
    must: EventClaim['must'],
    withinMs: number,
    fields: Fields = [],
  ): Claim[][] =>
    after ? [[{ ...eventClaim(subject, must, fields, withinMs), after: after.name }]] : [];
  if (stateOf(subject.frame) === 'SETTLED') {
    const accepted = calls.findLast(({ recorded }) => recorded.endpoint === 'quote.accept');
    const settled = [isStatus('SETTLED')];
    return [
      ...paced(accepted, 'not come', tolerance.settlementMinMs - 500, settled),
      ...paced(accepted, 'come', tolerance.settlementMaxMs + 1_000, settled),
    ];
  }
  const [cause] = one.evidence;
  const step = cause && stepOf(one, cause);
  const caused = step?.kind === 'call' ? step : calls.at(-1);
  return paced(caused, 'come', tolerance.eventDeliveryMs);
}

/** The event must not come at all, or not with this state. */
function neverClaims(subject: Subject): Claim[][] {
  const state = stateOf(subject.frame);
  const ofState: Fields = [[['status'], { test: 'one_of', values: [state] }]];
  return [
    ...(typeof state === 'string' ? [[eventClaim(subject, 'not come', ofState)]] : []),
    [eventClaim(subject, 'not come')],
  ];
}

/** Claims on a field of an event: an event with the right value comes, or none with the wrong value does. */
export function toldClaims(one: Case, spot: Spot): Claim[][] {
  const subject = spot.record.kind === 'frame' ? subjectOf(one, spot.record) : undefined;
  if (!subject) return [];
  // The payload is all that an event shows.
  const path = spot.path.slice(1).map(String);
  const state = stateBeside(spot, path);
  return testsFor(spot, one).flatMap((test: Test): Claim[][] => {
    if (test.test === 'absent')
      return [[eventClaim(subject, 'not come', [[path, { test: 'present' }]])]];
    if (test.test === 'differs')
      return [[eventClaim(subject, 'not come', [[path, { test: 'one_of', values: [spot.seen] }]])]];
    // An earlier event of the same name may well be right.
    const withState = state ? [[eventClaim(subject, 'come', [state, [path, test]])]] : [];
    return [...withState, [eventClaim(subject, 'come', [[path, test]])]];
  });
}

/** The state that an event tells beside one of its fields. */
function stateBeside({ record }: Spot, path: readonly string[]): Fields[number] | undefined {
  if (path.at(-1) === 'status' || record.kind !== 'frame') return undefined;
  const beside = [...path.slice(0, -1), 'status'];
  const state = valueAt(record.data, beside);
  return state === undefined ? undefined : [beside, { test: 'equals', value: plain(state) }];
}

/** Maximum number of heartbeat intervals: nobody waits for a longer flow. */
const mostIntervals = 20;

/** Claims on the least and the largest number of heartbeats on a stream while it is watched. */
function heartbeatClaims(one: Case, subject: Subject): Claim[][] {
  if (!wholeDeviations.has(one.deviation ?? 'other')) return [];
  const watched = (must: EventClaim['must'], intervals: number): Claim[] => [
    eventClaim({ ...subject, order: undefined }, must, [], intervals * intervalMs + slackMs),
  ];
  const [first, second] = one.evidence.filter((record) => record.kind === 'frame');
  const apartMs = first && second ? second.received - first.received : Infinity;
  for (let count = 1; count <= mostIntervals; count += 1) {
    // One may come with the opening of the stream.
    const seen = (count * intervalMs + slackMs) / apartMs;
    if (Math.floor(seen) > count + 1) return [watched({ atMost: count + 1 }, count)];
  }
  // The first heartbeats may have come: tries the number before the silence, then the longest acceptable wait.
  const { recorded } = subject.stream;
  const quietMs = (one.evidence.at(-1)?.received ?? 0) - (recorded.received ?? recorded.sent);
  const before = Math.floor(quietMs / intervalMs) + 1;
  return [...new Set([1, 2, Math.min(before, mostIntervals), mostIntervals])].map((count) =>
    watched({ atLeast: count }, count),
  );
}
