import { type Correlate, correlationOf } from '../../client/correlation.ts';
import { networkTransport } from '../../client/http/network-transport.ts';
import { createParty, type OpenParty } from '../../client/party.ts';
import type { CircuitBreaker } from '../../client/circuit-breaker.ts';
import type { TargetPresence } from '../../client/target-presence.ts';
import { createPacer, defaultRate } from '../../client/rate-limit/pacer.ts';
import { defaultRetryMs } from '../../client/rate-limit/retry-after.ts';
import type { Recorder } from '../../history/recorder.ts';
import type { Secrets } from '../../history/secrets/secrets.ts';
import type { CastName } from '../../spec/requirements/requirement.ts';
import { systemClock } from '../../timeline/clock/system-clock.ts';
import type { AnswerTimes } from '../clock/answer-times.ts';
import type { Participant, TargetFile, TokenSource } from '../file/target-file.ts';
import type { ControlWay } from './control-calls.ts';
import { pauseOf, type TargetTime } from './open-time.ts';
import type { PreflightProblem } from './preflight.ts';
import type { RemoteOptions } from './remote-options.ts';
import type { Route } from '../../client/http/route.ts';
import { asToken, type FoundToken, fromProvider } from './client-credentials.ts';

const commandTimeoutMs = 30_000;
const largestOutput = 64 * 1024;

/** A token from outside of the target: the environment, a program or an identity provider. */
export async function externalToken(
  source: Exclude<TokenSource, { readonly kind: 'own' }>,
  directory: string,
  route: Route,
): Promise<FoundToken> {
  switch (source.kind) {
    case 'env':
      return asToken(source.token, `the environment variable ${source.variable}`);
    case 'command':
      return fromCommand(source.command, directory);
    case 'client_credentials':
      return fromProvider(source, route);
  }
}

/** Runs the program without a shell, beside the target file; its first output is the token. */
async function fromCommand(
  [program, ...args]: readonly [string, ...string[]],
  directory: string,
): Promise<FoundToken> {
  const { execFile } = await import('node:child_process');
  const options = { cwd: directory, timeout: commandTimeoutMs, maxBuffer: largestOutput };
  return new Promise((resolve) => {
    execFile(program, args, options, (error, stdout, stderr) => {
      if (!error) return resolve(asToken(stdout, `the command ${program}`));
      const said = stderr.trim().split('\n')[0] ?? '';
      const how = error.killed ? `was stopped after ${commandTimeoutMs / 1_000} s` : `failed`;
      resolve({ ok: false, message: `the command ${program} ${how}: ${said || error.message}` });
    });
  });
}

export interface OpenedParty {
  readonly participant: Participant;
  readonly open: OpenParty;
}

/** Objects that all parties of a target share. */
interface Shared extends Pick<TargetTime, 'timeline' | 'midMessage' | 'views'> {
  readonly recorder: Recorder;
  readonly answerTimes: AnswerTimes;
  readonly circuitBreaker: CircuitBreaker;
  readonly presence: TargetPresence;
}

/** Names the requests of a run; undefined for a target that refuses unknown headers, or without a run id. */
const correlateOf = (file: TargetFile, { runId }: RemoteOptions): Correlate | undefined =>
  file.correlation === 'none' || runId === undefined ? undefined : correlationOf(runId);

/** Route and timeout of calls to the clock and the controls of a target. */
export const helperWay = (file: TargetFile, options: RemoteOptions): ControlWay => ({
  route: file.route,
  timeoutMs: options.helperTimeoutMs,
  correlate: correlateOf(file, options),
});

export function openParties(
  file: TargetFile,
  { timeline, recorder, midMessage, views, answerTimes, circuitBreaker, presence }: Shared,
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
        route: participant.route,
      }),
    );
    presence.watch(direct);
    return {
      participant,
      open: createParty({
        name: participant.name,
        role: participant.role,
        ...(options.networks?.between(participant.name, direct) ?? { transport: direct }),
        circuitBreaker,
        presence,
        timeline,
        recorder,
        backoff,
        ...(pacer && { pacer }),
        ...(midMessage && { midMessage }),
        ...(views && { views }),
        ...(token && { token }),
        correlate: correlateOf(file, options),
      }),
    };
  });
}

/** Fetches each token from outside once before anything else, so that a wrong source is reported as what it is. */
export async function externalTokensOf(file: TargetFile, secrets: Secrets) {
  const { directory } = file;
  const first = new Map<CastName, string>();
  const problems: PreflightProblem[] = [];
  for (const { name, token, route, places } of file.participants) {
    if (token.kind === 'own') continue;
    const result = await externalToken(token, directory, route);
    if (result.ok) {
      secrets.add(result.token);
      first.set(name, result.token);
    } else problems.push({ kind: 'misconfigured', place: places.token, message: result.message });
  }
  const get = (name: CastName) => {
    const participant = file.participants.find((one) => one.name === name);
    if (!participant || participant.token.kind === 'own') return undefined;
    const { token: source, route } = participant;
    return async (): Promise<string> => {
      const fetched = first.get(name);
      first.delete(name);
      if (fetched !== undefined) return fetched;
      const result = await externalToken(source, directory, route);
      if (!result.ok) throw new Error(result.message);
      return result.token;
    };
  };
  return { problems, get };
}
