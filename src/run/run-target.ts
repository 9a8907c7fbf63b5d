import { type ProbeName, discover } from '../discovery/discover.ts';
import type { Check } from '../suite/engine/check.ts';
import {
  createRunEnd,
  type RunEnd,
  RunEndedError,
  createRunLimit,
  type RunLimit,
} from '../suite/engine/run-end.ts';
import type { Shard } from '../suite/engine/plan.ts';
import type { Progress } from '../suite/engine/progress.ts';
import { runChecks } from '../suite/engine/run-checks.ts';
import { assembleReport, gapReports, type ReportContext, type RunReport } from '../report/index.ts';
import { allRules, type Rule } from '../oracle/index.ts';
import { random } from '../random/random.ts';
import { formatSeed } from '../random/seed.ts';
import { LostClockError } from '../timeline/timeline-errors.ts';
import { observeGaps } from '../discovery/observe/observe-gaps.ts';
import type { OpenedTarget } from '../target/opened-target.ts';
import { endWithTarget } from './end-with-target.ts';
import { participantsOf } from './play-run.ts';
import { standingClockNote } from './standing-clock.ts';
import { version } from './version.ts';

/** Receives the progress of a run, and gives it the host's time. The run may not read that itself. */
export interface RunObserver {
  readonly onStage: (what: string) => void;
  readonly onProgress: (progress: Progress) => void;
  readonly date: () => string;
  readonly wallMs: () => number;
}

/** Observer without progress. The report then has no host times. */
export const silentObserver: RunObserver = {
  onStage: () => undefined,
  onProgress: () => undefined,
  date: () => '',
  wallMs: () => 0,
};

export interface RunInputs extends RunObserver {
  readonly checks: readonly Check[];
  /** Every rule of the suite by default. */
  readonly rules?: readonly Rule[];
  readonly seed: bigint;
  readonly only?: readonly string[] | undefined;
  /** All checks of the suite, if `checks` has only some of them. */
  readonly suiteChecks?: readonly Check[] | undefined;
  readonly shard?: Shard | undefined;
  readonly concurrency?: number | undefined;
  /** Profile that selects the checks of the run and limits it. */
  readonly profile?: ProfiledRun | undefined;
  /** Ends the run early: the report has all results up to then. Absent: only the profile can end it early. */
  readonly runEnd?: RunEnd | undefined;
}

/** Part of a profile that a run depends on. */
export interface ProfiledRun {
  readonly name: string;
  /** Its own checks. Absent: it selects none. */
  readonly only?: readonly string[];
  /** Absent: all probes. */
  readonly probes?: readonly ProbeName[];
  /** Absent: no limits. */
  readonly limits?: {
    /** Host milliseconds, counted from `since` on the observer's clock. */
    readonly wallMs: number;
    readonly since: number;
    readonly requests: number;
  };
}

/** Time for which streams stay open after the last check, so that its settlement can end and its events are seen. */
const lingerMs = { virtual: 10_000, controlled: 10_000, system: 1_000 } as const;

/** Finds a target's answers, runs the checks and the rules, and puts the report together. */
export async function runTarget(target: OpenedTarget, inputs: RunInputs): Promise<RunReport> {
  const { seed } = inputs;
  const only = inputs.profile?.only ?? inputs.only;
  const startedAt = inputs.date();
  const started = inputs.wallMs();
  const draws = random(seed, '', target.runId);
  inputs.onStage('finding how the target answers what the document leaves open');
  const runEnd = inputs.runEnd ?? createRunEnd();
  const run = endWithTarget(target, runEnd, inputs.date);
  const limit = limitOf(target, inputs, runEnd);
  await discover(
    limit ? limitedTo(limit, target) : target,
    target.answers,
    draws.fork('discovery'),
    target.observations,
    inputs.profile?.probes,
  ).catch(endOfRunOnly);
  inputs.onStage('checking');
  const result = await runChecks({
    target,
    checks: inputs.checks,
    rules: inputs.rules ?? allRules,
    options: {
      random: draws.fork('checks'),
      lingerMs: lingerMs[target.clock.kind],
      onProgress: inputs.onProgress,
      ...(only && { only }),
      ...(inputs.suiteChecks && { suiteChecks: inputs.suiteChecks }),
      ...(inputs.shard && { shard: inputs.shard }),
      ...(inputs.concurrency !== undefined && { concurrency: inputs.concurrency }),
      ...(limit && { limit }),
    },
  });
  const endedEarly = await run.over(result.stopped);
  const findings = observeGaps(target.history, target.answers.declared, target.observations);
  target.answers.learn(findings);
  const standing = target.clock.kind === 'system' && standingClockNote(target.history);
  const notes = standing ? [...target.notes, standing] : target.notes;
  return assembleReport(result, {
    version,
    target: describe(target),
    run: {
      seed: formatSeed(seed),
      id: target.runId,
      started_at: startedAt,
      finished_at: inputs.date(),
      wall_ms: Math.round(inputs.wallMs() - started),
      ...(endedEarly && { ended_early: endedEarly }),
    },
    gaps: gapReports(findings),
    history: target.history,
    ...(target.restarts && { restarts: target.restarts.map(({ to }) => to) }),
    secrets: target.secrets,
    ...partOf(inputs),
    ...(target.unasked.length > 0 && { preflight: target.unasked }),
    ...(notes.length > 0 && { notes }),
  });
}

/** Ignores a lost clock and an early end: the run that follows reports them for every check. */
function endOfRunOnly(error: unknown): void {
  if (!(error instanceof LostClockError || error instanceof RunEndedError)) throw error;
}

/** Milliseconds kept at the end of a limited run: for calls in flight, for closing, judging and writing. */
const endingMs = 3_000;

function limitOf(
  target: OpenedTarget,
  { profile, wallMs, date }: RunInputs,
  runEnd: RunEnd,
): RunLimit | undefined {
  if (!profile?.limits) return undefined;
  const { limits, name } = profile;
  return createRunLimit({
    owner: `profile ${name}`,
    wallMs: limits.wallMs,
    leftMs: () => limits.since + limits.wallMs - endingMs - wallMs(),
    requests: limits.requests,
    history: () => target.history,
    runEnd,
    date,
  });
}

const limitedTo = (limit: RunLimit, target: OpenedTarget): OpenedTarget => ({
  ...target,
  get history() {
    return target.history;
  },
  get clock() {
    return target.clock;
  },
  party: (name, by, policy) => target.party(name, by, limit.within(policy)),
});

const partsOf = ({ from, to, of }: Shard): { of: number; parts: readonly number[] } => ({
  of,
  parts: Array.from({ length: to - from }, (_, index) => from + index + 1),
});

/** Selection of a part of the suite, for the report. Empty if none was selected. */
function partOf({ only = [], shard, profile }: RunInputs): Pick<ReportContext, 'part'> {
  const isPart = shard !== undefined && shard.of > 1;
  if (only.length === 0 && !isPart && !profile) return {};
  return {
    part: {
      ...(profile && { profile: profile.name }),
      ...(only.length > 0 && { only }),
      ...(isPart && { shard: partsOf(shard) }),
    },
  };
}

function describe({ name, parties, clock }: OpenedTarget): RunReport['target'] {
  const { least, most } = clock.offset;
  return {
    name,
    participants: participantsOf(parties),
    clock: {
      kind: clock.kind,
      max_wait_ms: clock.maxWaitMs,
      offset_ms: Math.round((least + most) / 2),
      ...(least !== most && { offset_range_ms: [least, most] as const }),
    },
  };
}
