import type { RequiredCoverage } from '../../results/coverage.ts';
import { formatSeed } from '../../random/seed.ts';
import {
  applyBaseline,
  applyWaivers,
  exitCodeOfReport,
  type RunReport,
  toJson,
  requiredText,
  toText,
  type WaiverScope,
} from '../../report/index.ts';
import type { ChosenTarget } from '../../run/open.ts';
import type { ProfileName } from '../../run/profiles.ts';
import { type OwnSuite, unmatchedPatterns } from '../../run/own-suite.ts';
import { type RunInputs, type RunObserver, runTarget } from '../../run/run-target.ts';
import type { OpenedTarget } from '../../target/opened-target.ts';
import { patternsOf, type Shard } from '../../suite/engine/plan.ts';
import { systemClock } from '../../timeline/clock/system-clock.ts';
import {
  announceRun,
  chooseTarget,
  type Opening,
  type TargetFlags,
  withTarget,
} from '../choose-target.ts';
import { failWith, readAll, stoppableRun, usageFailure } from '../command.ts';
import { outFailure, tryDirectory, within } from '../files.ts';
import { progressLine } from '../progress-line.ts';
import { type HistoryDraft, historyDraft, keepHistory } from '../history-draft.ts';
import { failedIn } from '../only-failed.ts';
import { suiteWith } from '../own-suite.ts';
import { writeReport } from '../report-files.ts';
import { baselineFrom } from '../read-report.ts';
import { type ExitCode, forPeople, type Terminal } from '../terminal.ts';
import { startedWith } from '../../run/started-with.ts';
import { waiversFrom } from '../waivers.ts';
import { openRunEvents, type RunEvents } from './run-events.ts';
import { planText } from './plan.ts';
import { applyProfile } from './profile.ts';
import {
  checkInShards,
  resultOf,
  type SecondShard,
  type ShardInputs,
  type ShardResult,
  tamperOf,
} from './shard.ts';

export interface CheckFlags extends TargetFlags {
  /** Modules with a user's own checks and rules. */
  readonly checks?: readonly string[];
  readonly only?: readonly string[];
  readonly out?: string;
  readonly maxWait?: number;
  readonly concurrency?: number;
  readonly rate?: number;
  readonly seed: bigint;
  readonly runId?: string;
  readonly waivers?: string;
  readonly baseline?: string;
  readonly strict?: true;
  readonly profile?: ProfileName;
  readonly shard?: Shard;
  /** Prints report.json in place of text. */
  readonly json?: true;
  /** File for the events of the run; `-` is standard output. */
  readonly events?: string;
  readonly requireCoverage?: RequiredCoverage;
  /** Mutation of the embedded reference. */
  readonly mutation?: string;
  readonly dryRun?: true;
  /** report.json of an earlier run. Only its failures are run again. */
  readonly onlyFailed?: string;
}

/** The embedded reference in two worlds. */
export interface ShardedRun {
  readonly inputs: ShardInputs;
  /** The thread that the second world is on, if it is on another. */
  readonly second: SecondShard | undefined;
}

/** Observer of a target that is judged in one world. */
export interface RunHooks {
  /** Id of the only check to run. A requirement may have the same id: its other checks are not run. */
  readonly check?: string;
  readonly onOpened?: (target: OpenedTarget) => void;
  /** Called before the target is closed. */
  readonly onJudged?: (target: OpenedTarget, report: RunReport) => void;
}

/** Judges a target and writes the reports. */
export async function checkTarget(
  flags: CheckFlags,
  given: Terminal,
  sharded?: ShardedRun,
  hooks: RunHooks = {},
): Promise<ExitCode> {
  const { seed, concurrency, rate, mutation, shard } = flags;
  if (flags.json && flags.events === '-') {
    throw usageFailure('--json and --events - both want standard output', 'give events a file');
  }
  // Standard output is for people, or for a program.
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
  const suite = hooks.check
    ? { ...whole, checks: whole.checks.filter(({ id }) => id === hooks.check) }
    : whole;
  refuseUnmatched(suite, only);
  const { maxWaitMs, profile } = applyProfile(flags, chosen, started);
  if (mutation !== undefined && chosen.kind !== 'embedded') {
    throw usageFailure('--mutation breaks the embedded reference only', 'leave out the target');
  }
  const tamper = await tamperOf(mutation);
  if (flags.dryRun) {
    const selected = profile?.only ?? only;
    terminal.out(
      await planText(suite.checks, chosen, { rate, maxWait: maxWaitMs, only: selected, shard }),
    );
    return 0;
  }
  tryDirectory(terminal.cwd, outOf(flags));
  const events = openRunEvents(flags.events, given);
  events.started(formatSeed(seed));
  // A person may stop the run from the first line on.
  const runEnd = stoppableRun(terminal);
  const runId = announceRun(flags, chosen, terminal.out);
  const line = progressLine(terminal);
  const { date, wallMs } = terminal;
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
  const onOpened = (target: OpenedTarget): void => {
    hooks.onOpened?.(target);
    // A draft is kept for targets only: a run on the reference can be repeated exactly.
    if (chosen.kind === 'embedded') return;
    const draft = draftIn(outOf(flags), terminal);
    dropDraft = keepHistory(target.history, draft, systemClock());
  };
  const judged = sharded
    ? checkInShards(sharded.inputs, sharded.second, observer, runEnd)
    : checkAtOnce(
        chosen,
        {
          maxWaitMs,
          ratePerSecond: rate,
          callsMayWait: true,
          tamper,
          runId,
          secrets: terminal.secrets,
          runEnd,
          reporting: terminal,
        },
        {
          ...suite,
          suiteChecks: whole.checks,
          seed,
          only,
          shard,
          profile,
          concurrency,
          runEnd,
          ...observer,
        },
        { ...hooks, onOpened },
      );
  const scope: WaiverScope = {
    suiteIds: new Set([...suite.checks, ...suite.rules].map(({ id }) => id)),
    extent: (only ?? flags.profile ?? shard) ? 'part' : 'whole',
  };
  const judgedAgain = (report: RunReport): RunReport => {
    const started = { ...report, run: { ...report.run, started_with: startedWith(flags) } };
    const waived = waivers.length > 0 ? applyWaivers(started, waivers, scope) : started;
    return baseline ? applyBaseline(waived, baseline) : waived;
  };
  const found = await judged.finally(line.end);
  const concluded = conclude(found, judgedAgain, flags, terminal, { events, print: given.out });
  const code = await concluded.finally(runEnd.forget);
  dropDraft();
  return code;
}

function draftIn(out: string, { cwd, secrets }: Terminal): HistoryDraft {
  try {
    return historyDraft(within(cwd, out), secrets);
  } catch (error) {
    throw outFailure(out, error);
  }
}

function checkAtOnce(
  chosen: ChosenTarget,
  options: Opening,
  inputs: RunInputs,
  { onOpened, onJudged }: RunHooks,
): Promise<ShardResult> {
  inputs.onStage('reaching every party');
  return withTarget(chosen, inputs.seed, options, async (target) => {
    onOpened?.(target);
    const report = await runTarget(target, inputs);
    onJudged?.(target, report);
    return resultOf(report, target.history.records, target.secrets);
  });
}

async function conclude(
  { report: found, history, shown }: ShardResult,
  judgedAgain: (report: RunReport) => RunReport,
  flags: CheckFlags,
  terminal: Terminal,
  { events, print }: { readonly events: RunEvents; readonly print: Terminal['out'] },
): Promise<ExitCode> {
  const report = judgedAgain(found);
  if (flags.json) print(toJson(report).trimEnd());
  terminal.out(
    toText(report, shown, { colour: terminal.hasColour ? 'colour' : 'plain' }).trimEnd(),
  );
  const written = await writeReport(report, history(), outOf(flags), terminal);
  terminal.out(`\n${written}`);
  const { requireCoverage } = flags;
  if (requireCoverage) terminal.out(requiredText(report, requireCoverage));
  const code = exitCodeOfReport(report, flags.strict ? 'strict' : 'lenient', requireCoverage);
  return events.finished(report, code);
}

/** The output folder. A replay has its own, so that it keeps the report that led to it. */
const outOf = ({ out, onlyFailed }: CheckFlags): string =>
  out ?? (onlyFailed === undefined ? 'reports' : 'reports/only-failed');

function refuseOnlyTwice({ only, onlyFailed }: CheckFlags): void {
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
