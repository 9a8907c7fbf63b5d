import { correlationFinder } from '../../history/correlation.ts';
import type { HistoryRecord } from '../../history/records.ts';
import { allRules, type Rule } from '../../oracle/index.ts';
import { fixedRunId } from '../../random/run-id.ts';
import { formatSeed } from '../../random/seed.ts';
import { runOutcomeOf } from '../../results/run-outcome.ts';
import type { Failure } from '../../results/run-report.ts';
import type { RequirementVerdict, SourceReport } from '../../results/source-report.ts';
import { suiteDigest } from '../../results/suite-digest.ts';
import { assembleReport, playReportOf, type RunReport, type Waiver } from '../../report/index.ts';
import type { Scope } from '../../suite/engine/plan.ts';
import type { RunEnd } from '../../suite/engine/run-end.ts';
import type { tampersOf } from '../find-mutation.ts';
import { withKnown } from '../read-report.ts';
import { participantsOf } from '../../run/play-run.ts';
import { startedWith } from '../../run/started-with.ts';
import { version } from '../../run/version.ts';
import type { Played } from '../../scenario/run/play.ts';
import { requirements } from '../../spec/requirements/index.ts';
import { requirementVerdicts } from '../../suite/engine/apply-rules.ts';
import { outcomeOfPlay } from './outcome.ts';
import type { SeededFlags } from '../flags.ts';
import type { Terminal } from '../terminal.ts';

/** Flags of one run of `assay play`, and its terminal. */
export interface PlayContext {
  readonly flags: SeededFlags;
  readonly runId: string | undefined;
  /** Undefined: the rules of the suite. */
  readonly rules: readonly Rule[] | undefined;
  readonly tamper: ReturnType<typeof tampersOf>;
  readonly terminal: Terminal;
  /** Writes to standard output, even if text for people goes to standard error. */
  readonly print: Terminal['out'];
  readonly waivers: readonly Waiver[];
  /** Ids of all scenarios in the files, played or not, and of waived ones in other files. */
  readonly scenarioIds: readonly string[];
  readonly texts: ReadonlyMap<string, string>;
  readonly values: ReadonlyMap<string, string>;
  readonly startedAt: string;
  readonly startedWallMs: number;
  readonly runEnd: RunEnd;
}

export interface PlayedRun {
  readonly played: readonly Played[];
  readonly rules: readonly SourceReport[];
  readonly records: readonly HistoryRecord[];
  readonly context: PlayContext;
  readonly target: {
    readonly name: string;
    readonly scope: Scope;
    /** The requests that were no longer sent to it, each with the reason. Absent: none. */
    readonly unasked?: readonly string[];
  };
}

/**
 * Verdict of a scenario on each requirement that it verifies. A failed scenario proves nothing, since either the target
 * or the expectation may be wrong: the verdict is inconclusive. Rules judge the document.
 */
function judgedBy({ scenario, verdict }: Played, why: string | undefined): RequirementVerdict[] {
  const failed = `scenario ${scenario.id} was not as expected: ${why ?? ''}`;
  const reason = verdict === 'fail' ? failed : why;
  return scenario.draft.verifies.map(({ value: requirement }) => ({
    requirement,
    verdict: verdict === 'fail' ? 'inconclusive' : verdict,
    exercised: verdict === 'pass' || verdict === 'fail' ? 1 : 0,
    ...(reason !== undefined && { reason }),
  }));
}

/** A scenario as the report has its checks. */
function scenarioResult(played: Played): SourceReport {
  const { scenario, verdict, reason, failures } = played;
  const [first] = failures;
  const why = reason ?? (first && inOneLine(first));
  return {
    id: scenario.id,
    title: scenario.title,
    requirements: scenario.draft.verifies.map(({ value }) => value),
    verdict,
    ...(why !== undefined && { reason: why }),
    judged: judgedBy(played, why),
    failures: failures.map(failureOf),
  };
}

/** `status: expected "QUOTED", actual "PENDING" (flow.yaml:12)`: lists of test results show nothing else. */
function inOneLine({ at, message, mismatches }: Played['failures'][number]): string {
  const [first] = mismatches;
  const path = first?.path || 'the whole';
  const values = first ? `; ${path}: expected ${first.expected}, actual ${first.actual}` : '';
  return `${message}${values} (${at.file}:${at.line})`;
}

function failureOf({ at, message, mismatches, exchanges }: Played['failures'][number]): Failure {
  const [mismatch] = mismatches;
  return {
    outcome: 'fail',
    message: `${at.file}:${at.line}:${at.col}: ${message}`,
    ...(mismatch && { expected: mismatch.expected, actual: mismatch.actual }),
    exchanges,
  };
}

/** The report of a play: scenarios in place of checks, each with its timeline, and the findings of the rules apart. */
export function reportOfPlay(run: PlayedRun): RunReport {
  const { context, played, rules, target } = run;
  const { terminal, flags, startedAt, startedWallMs, runEnd } = context;
  const ended = runEnd.ended();
  const scenarios = played.map(scenarioResult);
  const suite = { checks: scenarios, rules: context.rules ?? allRules };
  const verdictsBy = (checks: readonly SourceReport[]) =>
    requirementVerdicts(requirements, target.scope, suite, checks, rules);
  const correlationOf = correlationFinder(run.records);
  const report = assembleReport(
    {
      checks: scenarios,
      rules,
      requirements: verdictsBy(scenarios),
      suiteDigest: suiteDigest(
        requirements,
        scenarios.map(({ id }) => id),
        rules.map(({ id }) => id),
      ),
      targetMs: played.reduce((sum, { targetMs }) => sum + targetMs, 0),
    },
    {
      version,
      target: {
        name: target.name,
        participants: participantsOf(target.scope.parties),
        clock: { kind: target.scope.clock.kind },
      },
      run: {
        seed: formatSeed(flags.seed),
        id: run.context.runId ?? fixedRunId,
        started_at: startedAt,
        finished_at: terminal.date(),
        wall_ms: Math.round(terminal.wallMs() - startedWallMs),
        ...(ended && { ended_early: ended }),
        started_with: startedWith(flags),
      },
      gaps: [],
      history: { records: run.records },
      secrets: terminal.secrets,
      ...(target.unasked && { preflight: target.unasked }),
    },
  );
  const drawn = { ...report, scenarios: played.map((one) => timelineOf(one, correlationOf)) };
  const waived = withKnown(drawn, context.waivers, undefined, {
    suiteIds: new Set([...context.scenarioIds, ...rules.map(({ id }) => id)]),
    extent: 'part',
  });
  const waivedBy = new Map(waived.requirements.map((one) => [one.id as string, one.waived]));
  const ofInterface = runOutcomeOf({
    requirements: verdictsBy([]).map((one) => {
      const reason = waivedBy.get(one.id);
      return { ...one, ...(reason !== undefined && { waived: reason }) };
    }),
    checks: [],
    rules,
  });
  return {
    ...waived,
    outcome: ended ? 'incomplete' : outcomeOfPlay(asExpected(played, waived), ofInterface),
    play: playReportOf(waived.checks, ofInterface),
  };
}

/** Scenarios with those that failed as a waiver says as passed: that failure was to be seen. */
function asExpected(
  played: readonly Played[],
  { checks }: Pick<RunReport, 'checks'>,
): readonly Played[] {
  const known = new Set(checks.flatMap((one) => (one.waived === undefined ? [] : [one.id])));
  return played.map((one) => (known.has(one.scenario.id) ? { ...one, verdict: 'pass' } : one));
}

const timelineOf = (
  { scenario, verdict, drawn, log, targetMs, failures }: Played,
  correlationOf: ReturnType<typeof correlationFinder>,
): NonNullable<RunReport['scenarios']>[number] => ({
  id: scenario.id,
  verdict,
  drawn,
  timeline: log.map(({ atMs, party, says, outcome, exchange, line }) => ({
    at_ms: atMs,
    says,
    ...(party !== undefined && { party }),
    ...(outcome !== undefined && { outcome }),
    ...(exchange !== undefined && { exchange }),
    ...(line !== undefined && { line }),
  })),
  took_ms: targetMs,
  ...(failures.length > 0 && {
    failures: failures.map(({ at, message, exchanges, mismatches, before }) => ({
      after: before.length,
      at: `${at.file}:${at.line}:${at.col}`,
      message,
      exchanges,
      ...(correlationOf(exchanges).length > 0 && { correlation: correlationOf(exchanges) }),
      mismatches: mismatches.map(({ path, expected, actual }) => ({ path, expected, actual })),
    })),
  }),
});
