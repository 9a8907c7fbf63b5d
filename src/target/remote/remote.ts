import { createCircuitBreaker } from '../../client/circuit-breaker.ts';
import { routeNotes } from '../../client/http/route.ts';
import { createTargetPresence } from '../../client/target-presence.ts';
import { createRecorder, type Recorder } from '../../history/recorder.ts';
import { jwtPart } from '../../protocol/jwt.ts';
import { systemClock } from '../../timeline/clock/system-clock.ts';
import { systemTimeline } from '../../timeline/system-timeline.ts';
import { createAnswerTimes } from '../clock/answer-times.ts';
import { type Offset, offsetOfAll } from '../clock/clock-offset.ts';
import type { TargetFile } from '../file/target-file.ts';
import { createGapAnswers } from '../gap-answers.ts';
import { assembleTarget, type OpenFailure, type OpenResult } from '../opened-target.ts';
import { callOf, controlsOf } from './control-calls.ts';
import { openIssuerKeys } from './issuer-keys.ts';
import { externalTokensOf, helperWay, type OpenedParty, openParties } from './open-parties.ts';
import { openTime } from './open-time.ts';
import { type PreflightProblem, renderPreflightProblems } from './preflight.ts';
import { clockProblemOf, reachParties, withTokens } from './reach-parties.ts';
import type { RemoteOptions } from './remote-options.ts';
import type { Restart, Target } from '../../client/contract.ts';
import type { OpenParty } from '../../client/party.ts';
import type { Exchange } from '../../history/records.ts';
import { limits } from '../../spec/limits.ts';
import type { Timeline } from '../../timeline/timeline.ts';

/** Target time within which every open stream brings at least one heartbeat (6). */
const heartbeatWithinMs = limits.heartbeatIntervalMs + 1_000;

/** Opens the stream of every party; answers notes for the report. */
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

/** True if the opening of a stream had to wait for the target's time to go on. */
const openedLate = ({ sent, received, opensStream }: Exchange): boolean =>
  opensStream === true && received - sent >= lateMs;

/** Far more than the silence after which target time goes on, so that a slow host is not taken for one. */
const lateMs = 5_000;
const lateHeaders =
  'the headers of an event stream come with its first event only, so that opening one takes up to 30 s';

/** Opens one stream for as long as a heartbeat may take, for a run that opens none itself. */
async function awaitHeartbeat(open: OpenParty | undefined, timeline: Timeline): Promise<void> {
  const stream = await open?.as('preflight').listen();
  await timeline.sleep(heartbeatWithinMs);
  await stream?.close();
}

/** Opens a target over the network and reaches every party of it. */
export async function openRemote(
  file: TargetFile,
  options: RemoteOptions = {},
): Promise<OpenResult> {
  const recorder = createRecorder(options.secrets, options.kept);
  const { secrets } = recorder;
  for (const secret of file.secrets) secrets.add(secret);
  const failed = async (
    kind: OpenFailure['kind'],
    some: readonly PreflightProblem[],
  ): Promise<OpenFailure> => {
    const texts = renderPreflightProblems(some, file.file, options.source).map(secrets.maskText);
    return kind === 'misconfigured'
      ? { ok: false, kind, problems: texts }
      : unreached(file, recorder, options, texts);
  };
  const host = systemClock();
  const answerTimes = createAnswerTimes(() => host.now());
  const answers = createGapAnswers(file.gaps);
  const time = await openTime(
    file,
    options,
    helperWay(file, options),
    recorder,
    answerTimes,
    answers,
  );
  if ('message' in time) {
    return failed(time.kind === 'misconfigured' ? 'misconfigured' : 'unreachable', [time]);
  }
  const { timeline } = time;
  const tokens = await externalTokensOf(file, secrets);
  const keys = await openIssuerKeys(file.participants);
  const wrong = [...tokens.problems, ...keys.problems];
  if (wrong.length > 0) return failed('misconfigured', wrong);

  const circuitBreaker = createCircuitBreaker(systemClock());
  const presence = createTargetPresence(systemClock());
  const shared = { ...time, recorder, answerTimes, circuitBreaker, presence };
  const opened = openParties(file, shared, options, tokens.get);
  const close = async (): Promise<void> => {
    for (const { open } of opened) await open.close();
    await time.close?.();
  };
  const clockProblem = clockProblemOf(file);
  const problems = await reachParties(opened, timeline, options).catch((error: unknown) => [
    clockProblem(error),
  ]);
  for (const kind of ['misconfigured', 'unreachable'] as const) {
    const some = problems.filter((one) => one.kind === kind);
    if (some.length === 0) continue;
    await close();
    return failed(kind, some);
  }
  const parties = await withTokens(opened, problems);
  const signing = await signingOf(file, parties);
  if (signing && 'message' in signing) {
    await close();
    return failed('misconfigured', [signing]);
  }
  const offset = time.ahead ?? offsetFor(file, recorder);
  const listening = options.listening !== false;
  // A clock that fails here fails again at the first check, which reports it.
  const streamNotes = listening
    ? await openAllStreams(parties, timeline).catch((error: unknown) => [
        clockProblem(error).message,
      ])
    : [];
  const waitForHeartbeat = listening
    ? () => timeline.sleep(heartbeatWithinMs)
    : () => awaitHeartbeat(parties[0]?.open, timeline);
  time.views?.setUnknown(true);
  await time.eventDelay
    ?.measure(() => timeline.act('a beat', waitForHeartbeat))
    .catch(clockProblem);
  time.views?.setUnknown(false);
  const target = assembleTarget({
    ...partsOf(file, options, timeline, recorder, parties),
    clock: { ...clockOf(file, options), offset },
    ...(file.alone !== undefined && { alone: file.alone }),
    answers,
    ...(file.restart &&
      restartOf(callOf('restart', file.restart, timeline, helperWay(file, options)))),
    ...(signing && { signing }),
    ...(keys.verify && { verify: keys.verify }),
    usualAnswerMs: () => answerTimes.usualMs(),
    ...(time.views && { views: time.views }),
    ...(time.close && { onClose: time.close }),
    notes: [
      ...routeNotes(
        file.participants.map(({ baseUrl, route }) => ({ url: new URL(baseUrl), route })),
      ),
      ...problems.map(({ message }) => message),
      ...streamNotes,
    ],
    unasked: () => circuitBreaker.reasons(),
    ...(options.networks && { networks: options.networks }),
    presence,
  });
  return { ok: true, target };
}

/** A restart whose moments are kept: the rules judge what it ends. */
function restartOf(call: () => Promise<Exchange>): Pick<Target, 'restart' | 'restarts'> {
  const restarts: Restart[] = [];
  const restart = async (): Promise<Exchange> => {
    const exchange = await call();
    restarts.push({ from: exchange.sent, to: exchange.received });
    return exchange;
  };
  return { restart, restarts };
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
  const kid = jwtPart(token, 'header')?.['kid'];
  return typeof kid === 'string' ? kid : undefined;
}

function offsetFor(file: TargetFile, recorder: Recorder): Offset {
  const exchanges = recorder.records.filter((record) => record.kind === 'exchange');
  return offsetOfAll(
    file.participants.map(({ name }) => exchanges.filter(({ party }) => party === name)),
  );
}

const clockOf = ({ clock }: TargetFile, { maxWaitMs }: RemoteOptions) => ({
  kind: clock.kind,
  maxWaitMs: maxWaitMs ?? clock.maxWaitMs,
});

/** Parts of a target that its file and its parties give, whether these let anybody in or not. */
const partsOf = (
  file: TargetFile,
  options: RemoteOptions,
  timeline: Timeline,
  recorder: Recorder,
  parties: readonly OpenedParty[],
) => ({
  name: file.name,
  timeline,
  recorder,
  runId: options.runId,
  parties: new Map(parties.map(({ open, participant }) => [participant.name, open])),
  orderDefaults: file.orderDefaults,
  controls: controlsOf(file, timeline, helperWay(file, options)),
});

/** Failure of a target that let no party in. Its `target` has the data of the file and the recorded history. */
export async function unreached(
  file: TargetFile,
  recorder: Recorder,
  options: RemoteOptions,
  problems: readonly string[],
): Promise<OpenFailure> {
  const host = systemClock();
  const timeline = systemTimeline(host);
  const shared = {
    timeline,
    recorder,
    answerTimes: createAnswerTimes(() => host.now()),
    circuitBreaker: createCircuitBreaker(host),
    presence: createTargetPresence(host),
  };
  const parties = openParties(file, shared, options, () => undefined);
  const signing =
    file.signing && (await (await import('./signing-key.ts')).signingKey(file.signing));
  const target = assembleTarget({
    ...partsOf(file, options, timeline, recorder, parties),
    clock: { ...clockOf(file, options), offset: { least: 0, most: 0 } },
    answers: createGapAnswers(file.gaps),
    ...(signing?.ok && { signing: signing.key }),
    unasked: () => problems,
  });
  return { ok: false, kind: 'unreachable', problems, target };
}
