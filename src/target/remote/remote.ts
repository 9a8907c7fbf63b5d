import { networkTransport } from '../../client/http/network-transport.ts';
import { createCircuitBreaker, type CircuitBreaker } from '../../client/circuit-breaker.ts';
import { createPacer, defaultRate } from '../../client/rate-limit/pacer.ts';
import { createParty, type OpenParty, type ReachResult } from '../../client/party.ts';
import { defaultRetryMs } from '../../client/rate-limit/retry-after.ts';
import type { TransportLimits } from '../../client/http/transport.ts';
import { createRecorder, type Recorder } from '../../history/recorder.ts';
import type { Exchange } from '../../history/records.ts';
import type { Clock } from '../../timeline/clock/clock.ts';
import { LostClockError } from '../../timeline/timeline-errors.ts';
import { systemClock } from '../../timeline/clock/system-clock.ts';
import { systemTimeline } from '../../timeline/system-timeline.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import { limits } from '../../spec/limits.ts';
import type { CastName } from '../../spec/requirements/requirement.ts';
import { type Offset, offsetOf, offsetOfAll } from '../clock/clock-offset.ts';
import { type AnswerTimes, createAnswerTimes } from '../clock/answer-times.ts';
import { type EventDelay, createEventDelay } from '../clock/event-delay.ts';
import { controlsOf } from './control-calls.ts';
import { createGapAnswers } from '../gap-answers.ts';
import type { Participant, TargetFile } from '../file/target-file.ts';
import { assembleTarget, type NetworkBetween, type OpenResult } from '../opened-target.ts';
import { renderPreflightProblem, type PreflightProblem, preflightProblemsOf } from './preflight.ts';
import { externalToken } from './external-token.ts';

export interface RemoteOptions {
  readonly maxWaitMs?: number | undefined;
  /** Most requests a second; by default 100 for a target on its own clock, none for one that is driven. */
  readonly ratePerSecond?: number | undefined;
  /** How many requests may go at once after a pause; see the pacer. */
  readonly burst?: number;
  /** Whether every party listens from the start on the stream that all share; by default yes. */
  readonly listening?: boolean;
  /**
   * How closely a party's clock must be known by the answers that reaching it brings, in milliseconds, for it not to be
   * asked once more; by default asked in any case.
   */
  readonly clockWithinMs?: number;
  /** Bounds of each exchange other than the usual ones. */
  readonly limits?: Partial<TransportLimits>;
  /** How long a call to the target's clock or one of its controls may take, in host milliseconds. */
  readonly helperTimeoutMs?: number;
  readonly network?: NetworkBetween;
  /** The target file's text, for the lines that problems point at. */
  readonly source?: string;
}

type Problem = Extract<OpenResult, { readonly ok: false }>;

/** Opens a target over the network and reaches every party of it. */
export async function openRemote(
  file: TargetFile,
  options: RemoteOptions = {},
): Promise<OpenResult> {
  const failed = (kind: Problem['kind'], troubles: readonly PreflightProblem[]): Problem => ({
    ok: false,
    kind,
    problems: troubles.map((one) => renderPreflightProblem(one, file.file, options.source)),
  });
  const recorder = createRecorder();
  const host = systemClock();
  const answerTimes = createAnswerTimes(() => host.now());
  const time = await timeOf(file, options, recorder, answerTimes);
  if ('message' in time) return failed('unreachable', [time]);
  const { timeline } = time;
  const tokens = await tokensOf(file);
  if (tokens.troubles.length > 0) return failed('misconfigured', tokens.troubles);

  const circuitBreaker = createCircuitBreaker(systemClock());
  const shared = { ...time, recorder, answerTimes, circuitBreaker };
  const opened = openParties(file, shared, options, tokens.get);
  const close = async (): Promise<void> => {
    for (const { open } of opened) await open.close();
    await time.close?.();
  };
  const clockProblem = clockProblemOf(file);
  const troubles = await preflight(opened, timeline, options).catch((error: unknown) => [
    clockProblem(error),
  ]);
  for (const kind of ['misconfigured', 'unreachable'] as const) {
    const some = troubles.filter((one) => one.kind === kind);
    if (some.length === 0) continue;
    await close();
    return failed(kind, some);
  }
  const parties = await withTokens(opened, troubles);
  const signing = await signingOf(file, parties);
  if (signing && 'message' in signing) {
    await close();
    return failed('misconfigured', [signing]);
  }
  const clock = {
    kind: file.clock.kind,
    maxWaitMs: options.maxWaitMs ?? file.clock.maxWaitMs,
    offset: time.ahead ?? offsetFor(file, recorder),
  };
  const listening = options.listening !== false;
  // Whatever is asked of a target whose clock fails here, says so.
  const late = listening
    ? await openAllStreams(parties, timeline).catch((error: unknown) => [
        clockProblem(error).message,
      ])
    : [];
  const waitForHeartbeat = listening
    ? () => timeline.sleep(heartbeatWithinMs)
    : () => awaitHeartbeat(parties[0]?.open, timeline);
  await time.eventDelay
    ?.measure(() => timeline.act('a beat', waitForHeartbeat))
    .catch(clockProblem);
  const target = assembleTarget({
    name: file.name,
    timeline,
    clock,
    recorder,
    parties: new Map(parties.map(({ open, participant }) => [participant.name, open])),
    answers: createGapAnswers(file.gaps),
    orderDefaults: file.orderDefaults,
    controls: controlsOf(file.controls, timeline, options.helperTimeoutMs),
    ...(signing && { signing }),
    usualAnswerMs: () => answerTimes.usualMs(),
    // Whoever does not listen hears of nothing that is late.
    ...(time.eventDelay && listening && { eventDelay: time.eventDelay }),
    ...(time.close && { onClose: time.close }),
    notes: [...troubles.map(({ message }) => message), ...late],
    unasked: () => circuitBreaker.reasons(),
  });
  return { ok: true, target };
}

/** Those that can be judged further; of the others the history holds how their tokens were refused. */
async function withTokens(
  opened: readonly OpenedParty[],
  troubles: readonly PreflightProblem[],
): Promise<readonly OpenedParty[]> {
  const isTokenless = ({ participant }: OpenedParty): boolean =>
    troubles.some(
      ({ kind, place }) => kind === 'tokenless' && place === participant.places.baseUrl,
    );
  for (const one of opened) if (isTokenless(one)) await one.open.close();
  return opened.filter((one) => !isTokenless(one));
}

/** Opens the stream of every party; answers what a reader of the report should know of them. */
async function openAllStreams(
  parties: readonly OpenedParty[],
  timeline: Timeline,
): Promise<readonly string[]> {
  const late = await timeline.act('listening', () =>
    timeline.together(
      parties.map(({ open, participant }) => [
        `listen as ${participant.name}`,
        async () => (openedLate(await open.openEvents()) ? [participant.name] : []),
      ]),
    ),
  );
  const names = late.flat();
  return names.length === 0 ? [] : [`${names.join(', ')}: ${lateHeaders}`];
}

/** An opening that had to wait for the target's time to go on. */
const openedLate = ({ sent, received, opensStream }: Exchange): boolean =>
  opensStream === true && received - sent >= lateMs;

/** So much more than the silence after which time goes on, that a host that is merely slow is none of them. */
const lateMs = 5_000;
const lateHeaders =
  'the headers of an event stream come with its first event only, so that opening one takes up to 30 s';

/** How late one stream comes tells of all, where none is open yet. */
async function awaitHeartbeat(open: OpenParty | undefined, timeline: Timeline): Promise<void> {
  const stream = await open?.as('preflight').listen();
  await timeline.sleep(heartbeatWithinMs);
  await stream?.close();
}

/** Reaches all parties; answers what is wrong with any of them. */
async function preflight(
  parties: readonly OpenedParty[],
  timeline: Timeline,
  options: RemoteOptions,
): Promise<readonly PreflightProblem[]> {
  const reached = await timeline.act('reaching', () =>
    timeline.together(
      parties.map(({ open, participant }) => [
        `reach ${participant.name}`,
        async () =>
          preflightProblemsOf(
            participant,
            await reachParty(open, options),
            open.as('preflight').token,
          ),
      ]),
    ),
  );
  return reached.flat();
}

/** What is wrong where a clock fails while parties are being reached; whatever else failed is thrown. */
const clockProblemOf =
  ({ clock }: TargetFile) =>
  (error: unknown): PreflightProblem => {
    if (!(error instanceof LostClockError) || clock.kind !== 'controlled') throw error;
    return { kind: 'unreachable', place: clock.place, message: error.message };
  };

/** Asks twice, so that the second answer, on a warm connection, tells the clock better; once where that is enough. */
async function reachParty(
  open: OpenParty,
  { clockWithinMs = 0 }: RemoteOptions,
): Promise<ReachResult> {
  const reached = await open.reach();
  const { token, identity } = reached;
  if (!identity.response) return reached;
  const offset = offsetOf(token ? [token, identity] : [identity]);
  const isKnown = offset !== undefined && offset.most - offset.least <= clockWithinMs;
  if (!isKnown) await open.as('preflight').call('identity.read');
  return reached;
}

/** Within so much of the target's time each stream that is open brings a heartbeat at least (6). */
const heartbeatWithinMs = limits.heartbeatIntervalMs + 1_000;

interface TargetTime {
  readonly timeline: Timeline;
  /** Of a driven clock. */
  readonly eventDelay?: EventDelay;
  /** Of a driven clock: see `PartyContext`. */
  readonly midMessage?: Set<object>;
  readonly close?: () => Promise<void>;
  /** How far the target's clock is ahead of ours, where that is known beforehand. */
  readonly ahead?: Offset;
}

async function timeOf(
  { clock }: TargetFile,
  { helperTimeoutMs }: RemoteOptions,
  recorder: Recorder,
  answerTimes: AnswerTimes,
): Promise<TargetTime | PreflightProblem> {
  if (clock.kind === 'system') return { timeline: systemTimeline(systemClock()) };
  const { controlledTimeline } = await import('../../timeline/controlled-timeline.ts');
  const { ClockUnusable, drivenClock, alsoRunsByItself, withDrift } = await import(
    '../clock/driven-clock.ts'
  );
  try {
    const driven = drivenClock(clock, helperTimeoutMs);
    const host = systemClock();
    const midMessage = new Set<object>();
    const eventDelay = createEventDelay({
      count: () => recorder.records.length,
      isMidMessage: () => midMessage.size > 0,
      now: () => host.now(),
      pause: pauseOf(host),
    });
    const { flushPending, flushReads, sliceMs } = eventDelay;
    const patienceMs = (): number => patienceFor(answerTimes.usualMs());
    const driving = { flushPending, flushReads, sliceMs, patienceMs };
    const close = (): Promise<void> => driven.close();
    if (await alsoRunsByItself(driven, pauseOf(host))) {
      const { clock: watched, aheadMs } = withDrift(driven, () => host.now());
      const timeline = await controlledTimeline(watched, driving);
      // Known better the longer the run takes: a machine that is busy lets more time pass between two readings.
      const ahead = {
        least: 0,
        get most() {
          return aheadMs();
        },
      };
      return { timeline, eventDelay, midMessage, close, ahead };
    }
    // It is the target's own, so nothing lies between as long as it waits for us.
    const timeline = await controlledTimeline(driven, driving);
    return { timeline, eventDelay, midMessage, close, ahead: { least: 0, most: 0 } };
  } catch (error) {
    if (!(error instanceof ClockUnusable)) throw error;
    return { kind: 'unreachable', place: clock.place, message: error.message };
  }
}

/** Who answers sooner is waited for, and nothing else is done meanwhile. */
const patientFromMs = 10;
/** However slow a target is, its time goes on by no more than this for each answer. */
const mostPatienceMs = 250;

const patienceFor = (usualMs: number): number =>
  usualMs < patientFromMs ? 0 : Math.min(usualMs, mostPatienceMs);

const pauseOf =
  (clock: Clock) =>
  (ms: number): Promise<void> =>
    new Promise((resolve) => {
      clock.at(clock.now() + ms, resolve);
    });

interface OpenedParty {
  readonly participant: Participant;
  readonly open: OpenParty;
}

/** What all parties of a target have in common. */
interface Shared extends Pick<TargetTime, 'timeline' | 'midMessage'> {
  readonly recorder: Recorder;
  readonly answerTimes: AnswerTimes;
  readonly circuitBreaker: CircuitBreaker;
}

function openParties(
  file: TargetFile,
  { timeline, recorder, midMessage, answerTimes, circuitBreaker }: Shared,
  options: RemoteOptions,
  tokenOf: (name: CastName) => (() => Promise<string>) | undefined,
): readonly OpenedParty[] {
  const rate = options.ratePerSecond ?? defaultRate[file.clock.kind];
  const pacer = rate === undefined ? undefined : createPacer(timeline, rate, options.burst);
  const maxWaitMs = options.maxWaitMs ?? file.clock.maxWaitMs;
  const backoff = {
    mostMs: Math.min(defaultRetryMs, maxWaitMs),
    ...(file.clock.kind === 'controlled' && { hostPause: pauseOf(systemClock()) }),
  };
  return file.participants.map((participant) => {
    const token = tokenOf(participant.name);
    const direct = answerTimes.timed(
      networkTransport(participant.baseUrl, {
        ...(options.limits && { limits: options.limits }),
        circuitBreaker,
      }),
    );
    return {
      participant,
      open: createParty({
        name: participant.name,
        role: participant.role,
        ...(options.network?.(participant.name, direct) ?? { transport: direct }),
        circuitBreaker,
        timeline,
        recorder,
        backoff,
        ...(pacer && { pacer }),
        ...(midMessage && { midMessage }),
        ...(token && { token }),
      }),
    };
  });
}

/** Tokens from outside are fetched once before anything else, so that what is wrong with them is said plainly. */
async function tokensOf(file: TargetFile) {
  const { directory } = file;
  const first = new Map<CastName, string>();
  const troubles: PreflightProblem[] = [];
  for (const { name, token, places } of file.participants) {
    if (token.kind === 'own') continue;
    const result = await externalToken(token, directory);
    if (result.ok) first.set(name, result.token);
    else troubles.push({ kind: 'misconfigured', place: places.token, message: result.message });
  }
  const get = (name: CastName) => {
    const source = file.participants.find((one) => one.name === name)?.token;
    if (!source || source.kind === 'own') return undefined;
    return async (): Promise<string> => {
      const ready = first.get(name);
      first.delete(name);
      if (ready !== undefined) return ready;
      const result = await externalToken(source, directory);
      if (!result.ok) throw new Error(result.message);
      return result.token;
    };
  };
  return { troubles, get };
}

async function signingOf(file: TargetFile, parties: readonly OpenedParty[]) {
  if (!file.signing) return undefined;
  const { signingKey } = await import('./signing-key.ts');
  const token = parties[0]?.open.as('preflight').token ?? '';
  const result = await signingKey(file.signing, keyIdOf(token));
  if (result.ok) return result.key;
  const { place } = file.signing;
  return { kind: 'misconfigured', place, message: result.message } satisfies PreflightProblem;
}

function keyIdOf(token: string): string | undefined {
  try {
    const head = Buffer.from(token.split('.')[0] ?? '', 'base64url').toString('utf8');
    const { kid } = JSON.parse(head) as { readonly kid?: unknown };
    return typeof kid === 'string' ? kid : undefined;
  } catch {
    return undefined;
  }
}

function offsetFor(file: TargetFile, recorder: Recorder): Offset {
  const exchanges = recorder.records.filter((record) => record.kind === 'exchange');
  return offsetOfAll(
    file.participants.map(({ name }) => exchanges.filter(({ party }) => party === name)),
  );
}
