import type { Check } from '../suite/engine/check.ts';
import type { Shard } from '../suite/engine/plan.ts';
import type { Progress } from '../suite/engine/progress.ts';
import { runChecks } from '../suite/engine/run-checks.ts';
import { assembleReport, gapReports, type RunReport } from '../report/index.ts';
import { allRules, type Rule } from '../oracle/index.ts';
import { random } from '../random/random.ts';
import { formatSeed } from '../random/seed.ts';
import { LostClockError } from '../timeline/timeline-errors.ts';
import { discover } from '../discovery/discover.ts';
import { observeGaps } from '../discovery/observe/observe-gaps.ts';
import type { OpenedTarget } from '../target/opened-target.ts';
import { version } from './version.ts';

/** Receives the progress of a run, and gives it the host's times, which it may not read itself. */
export interface RunObserver {
  readonly onStage: (what: string) => void;
  readonly onProgress: (progress: Progress) => void;
  readonly date: () => string;
  readonly wallMs: () => number;
}

/** For a run without progress, whose report has no times of the host. */
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
  readonly shard?: Shard | undefined;
  readonly concurrency?: number | undefined;
}

/** How long streams stay open after the last check, so that its settlement can end and its events are seen. */
const lingerMs = { virtual: 10_000, controlled: 10_000, system: 1_000 } as const;

/** Finds a target's answers, runs the checks and the rules, and puts the report together. */
export async function runTarget(target: OpenedTarget, inputs: RunInputs): Promise<RunReport> {
  const { seed } = inputs;
  const startedAt = inputs.date();
  const started = inputs.wallMs();
  const draws = random(seed);
  inputs.onStage('finding how the target answers what the document leaves open');
  await discover(target, target.answers, draws.fork('discovery'), target.observations).catch(
    lostClockOnly,
  );
  inputs.onStage('checking');
  const result = await runChecks({
    target,
    checks: inputs.checks,
    rules: inputs.rules ?? allRules,
    options: {
      random: draws.fork('checks'),
      lingerMs: lingerMs[target.clock.kind],
      onProgress: inputs.onProgress,
      ...(inputs.only && { only: inputs.only }),
      ...(inputs.shard && { shard: inputs.shard }),
      ...(inputs.concurrency !== undefined && { concurrency: inputs.concurrency }),
    },
  });
  const findings = observeGaps(target.history, target.answers.declared, target.observations);
  target.answers.learn(findings);
  // What was asked no more is as little judged as what came after the end of a clock.
  const unjudged = [...(result.stopped === undefined ? [] : [result.stopped]), ...target.unasked];
  return assembleReport(result, {
    version,
    target: describe(target),
    run: {
      seed: formatSeed(seed),
      started_at: startedAt,
      finished_at: inputs.date(),
      wall_ms: Math.round(inputs.wallMs() - started),
    },
    gaps: gapReports(findings),
    ...(unjudged.length > 0 && { preflight: unjudged }),
    ...(target.notes.length > 0 && { notes: target.notes }),
  });
}

/** A lost clock is no reason to stop here: the run that follows reports it for every check. */
function lostClockOnly(error: unknown): void {
  if (!(error instanceof LostClockError)) throw error;
}

function describe({ name, parties, clock }: OpenedTarget): RunReport['target'] {
  const participants = Object.entries(parties).map(
    ([party, { role, baseUrl }]) => [party, { role, base_url: baseUrl }] as const,
  );
  const { least, most } = clock.offset;
  return {
    name,
    participants: Object.fromEntries(participants),
    clock: {
      kind: clock.kind,
      max_wait_ms: clock.maxWaitMs,
      offset_ms: Math.round((least + most) / 2),
    },
  };
}
