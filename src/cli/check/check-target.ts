import { formatSeed } from '../../random/seed.ts';
import type { RunReport } from '../../report/index.ts';
import { type OwnSuite, unmatchedPatterns } from '../../run/own-suite.ts';
import { type RunObserver, runTarget } from '../../run/run-target.ts';
import { startedWith } from '../../run/started-with.ts';
import { patternsOf } from '../../suite/engine/plan.ts';
import type { OpenedTarget } from '../../target/opened-target.ts';
import { announceRun, chooseTarget, withTarget } from '../choose-target.ts';
import { failWith, readAll, stoppableRun, usageFailure } from '../command.ts';
import { tryDirectory } from '../files.ts';
import type { SeededFlags } from '../flags.ts';
import { keepOnDisk } from '../history-draft.ts';
import { suiteWith } from '../own-suite.ts';
import { progressLine } from '../progress-line.ts';
import { baselineFrom, failedIn, withKnown } from '../read-report.ts';
import { conclude, type JudgedRun } from '../report-files.ts';
import { type ExitCode, forPeople, type Terminal } from '../terminal.ts';
import { waiversFrom } from '../waivers.ts';
import { planText } from './plan.ts';
import { applyProfile } from './profile.ts';
import { openRunEvents } from './run-events.ts';
import { checkInShards, resultOf, type SecondShard, type ShardInputs, tamperOf } from './shard.ts';

/** The embedded reference in two worlds. */
export interface ShardedRun {
  readonly inputs: ShardInputs;
  /** The thread that the second world is on, if it is on another. */
  readonly second: SecondShard | undefined;
}

/** Observer of a target that is judged in one world. */
export interface RunHooks {
  readonly onOpened?: (target: OpenedTarget) => void;
  /** Called before the target is closed. */
  readonly onJudged?: (target: OpenedTarget, report: RunReport) => void;
}

/** The only check to run. A requirement may have the same id: its other checks are not run. */
interface OneCheck {
  readonly check: string;
  readonly hooks: readonly RunHooks[];
}

export async function checkTarget(
  flags: SeededFlags,
  given: Terminal,
  { sharded, one }: { readonly sharded?: ShardedRun | undefined; readonly one?: OneCheck },
): Promise<ExitCode> {
  const { seed, concurrency, rate, mutation, shard } = flags;
  if (flags.json && flags.events === '-') {
    throw usageFailure('--json and --events - both want standard output', 'give events a file');
  }
  const isForProgram = flags.events === '-' || (flags.json && !flags.dryRun);
  const terminal = forPeople(given, isForProgram);
  const started = terminal.wallMs();
  const [chosen, waivers, baseline] = readAll(
    () => chooseTarget(flags, terminal),
    () => waiversFrom(flags.waivers, terminal),
    () => baselineFrom(flags.baseline, terminal),
    () => refuseOnlyTwice(flags),
  );
  const whole = await suiteWith(flags.checks, terminal.cwd);
  const failed =
    flags.onlyFailed === undefined ? undefined : failedIn(flags.onlyFailed, whole.checks, terminal);
  if (failed?.ids.length === 0) {
    terminal.out(`nothing failed in ${flags.onlyFailed}: nothing was run`);
    return failed.exitCode;
  }
  const only = failed?.ids ?? (flags.only && patternsOf(flags.only));
  const suite = one
    ? { ...whole, checks: whole.checks.filter(({ id }) => id === one.check) }
    : whole;
  refuseUnmatched(suite, only);
  const { maxWaitMs, profile } = applyProfile(flags, chosen, started);
  if (mutation !== undefined && chosen.kind !== 'embedded') {
    throw usageFailure('--mutation breaks the embedded reference only', 'leave out the target');
  }
  const tamper = await tamperOf(mutation);
  if (flags.dryRun) {
    const selected = profile?.only ?? only;
    terminal.out(await planText(suite.checks, chosen, selected, maxWaitMs, flags));
    return 0;
  }
  // A replay has a folder of its own, so that it keeps the report that led to it.
  const out = flags.out ?? (failed ? 'reports/only-failed' : 'reports');
  tryDirectory(terminal.cwd, out);
  const events = openRunEvents(flags.events, given);
  events.started(formatSeed(seed));
  // A person may stop the run from the first line on.
  const runEnd = stoppableRun(terminal);
  const runId = announceRun(flags, chosen, terminal.out);
  const line = progressLine(terminal);
  const { date, wallMs, secrets } = terminal;
  const observer: RunObserver = {
    onStage(what) {
      line.stage(what);
      events.stage(what);
    },
    onProgress(progress) {
      line.update(progress);
      events.progress(progress);
    },
    date,
    wallMs,
  };
  let dropDraft = (): void => {};

  function checkAtOnce(): Promise<JudgedRun> {
    observer.onStage('reaching every party');
    const opening = {
      maxWaitMs,
      ratePerSecond: rate,
      callsMayWait: true,
      tamper,
      runId,
      secrets,
      runEnd,
      reporting: terminal,
    };
    return withTarget(chosen, seed, opening, async (target) => {
      for (const { onOpened } of one?.hooks ?? []) onOpened?.(target);
      // A draft is kept for targets only: a run on the reference can be repeated exactly.
      if (chosen.kind !== 'embedded') dropDraft = keepOnDisk(target.history, out, terminal);
      const report = await runTarget(target, {
        ...suite,
        suiteChecks: whole.checks,
        seed,
        only,
        shard,
        profile,
        concurrency,
        runEnd,
        ...observer,
      });
      for (const { onJudged } of one?.hooks ?? []) onJudged?.(target, report);
      return resultOf(report, target.history.records, target.secrets);
    });
  }

  async function settle(judging: Promise<JudgedRun>): Promise<ExitCode> {
    const judged = await judging.finally(line.end);
    const run = { ...judged.report.run, started_with: startedWith(flags) };
    const report = withKnown({ ...judged.report, run }, waivers, baseline, {
      suiteIds: new Set([...suite.checks, ...suite.rules].map(({ id }) => id)),
      extent: (only ?? flags.profile ?? shard) ? 'part' : 'whole',
    });
    const code = await conclude({ ...judged, report }, { ...flags, out }, terminal, given.out);
    return events.finished(report, code);
  }

  const judging = sharded
    ? checkInShards(sharded.inputs, sharded.second, observer, runEnd)
    : checkAtOnce();
  const code = await settle(judging).finally(runEnd.forget);
  dropDraft();
  return code;
}

function refuseOnlyTwice({ only, onlyFailed }: SeededFlags): void {
  if (only === undefined || onlyFailed === undefined) return;
  throw usageFailure('--only and --only-failed exclude each other', 'leave out one of both');
}

function refuseUnmatched(suite: OwnSuite, only: readonly string[] = []): void {
  failWith(
    unmatchedPatterns(suite.checks, only).map(({ pattern, next }) =>
      usageFailure(`--only ${pattern} selects no check`, next),
    ),
  );
}
