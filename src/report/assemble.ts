import { runOutcomeOf } from '../suite/results/run-outcome.ts';
import type { CheckOrRuleResult, RunResult } from '../suite/results/result.ts';
import { type Verdict, verdicts } from '../suite/results/verdicts.ts';
import { type Requirement, requirements as catalogue } from '../spec/requirements/index.ts';
import { masked } from './mask.ts';
import {
  type CheckReport,
  type GapReport,
  type RequirementReport,
  reportFormat,
  type RunReport,
} from './run-report.ts';

/** How many of each verdict; every verdict has a count. */
export function countVerdicts(
  some: readonly { readonly verdict: Verdict }[],
): Record<Verdict, number> {
  const counts = Object.fromEntries(verdicts.map((verdict) => [verdict, 0]));
  for (const { verdict } of some) counts[verdict] = (counts[verdict] ?? 0) + 1;
  return counts as Record<Verdict, number>;
}

const reasonOf = ({ reason }: { readonly reason?: string }) =>
  reason === undefined ? {} : { reason: masked(reason) as string };

export const checkReportOf = (judge: CheckOrRuleResult): CheckReport => ({
  id: judge.id,
  title: judge.title,
  requirements: judge.requirements,
  verdict: judge.verdict,
  ...reasonOf(judge),
  failures: judge.findings.map((finding) => ({
    requirement: finding.requirement,
    outcome: finding.outcome,
    message: masked(finding.message) as string,
    ...(finding.expected !== undefined && { expected: masked(finding.expected) }),
    ...(finding.actual !== undefined && { actual: masked(finding.actual) }),
    exchanges: finding.evidence,
  })),
  ...(judge.omitted > 0 && { omitted: judge.omitted }),
});

/** What a report says beside what the run found. */
export interface ReportContext {
  readonly version: string;
  readonly target: RunReport['target'];
  /** Host times, from whoever may read them. */
  readonly run: Omit<RunReport['run'], 'target_ms'>;
  readonly gaps: readonly GapReport[];
  readonly preflight?: readonly string[];
  readonly notes?: readonly string[];
  readonly catalogue?: Readonly<Record<string, Requirement>>;
}

/** Puts a report together, its keys in the order of the contract. */
export function assembleReport(result: RunResult, context: ReportContext): RunReport {
  const known = context.catalogue ?? catalogue;
  const requirements = result.requirements.flatMap((judged): RequirementReport[] => {
    const requirement = (known as Readonly<Record<string, Requirement>>)[judged.id];
    if (!requirement) return [];
    const { part, level, summary } = requirement;
    return [
      {
        id: judged.id,
        part,
        level,
        summary,
        verdict: judged.verdict,
        ...reasonOf(judged),
        judged_by: judged.judgedBy,
        exercised: judged.exercised,
      },
    ];
  });
  const checks = result.checks.map(checkReportOf);
  const rules = result.rules.map(checkReportOf);
  const { preflight = [], notes = [] } = context;
  const { seed, started_at, finished_at, wall_ms } = context.run;
  const { name, participants, clock } = context.target;
  const { max_wait_ms, offset_ms } = clock;
  return {
    format: reportFormat,
    outcome: runOutcomeOf({ requirements, checks, rules, preflight }),
    suite: { version: context.version, digest: result.suiteDigest },
    target: {
      name,
      participants,
      clock: {
        kind: clock.kind,
        // Where any wait is admitted there is no number to give.
        ...(max_wait_ms !== undefined && Number.isFinite(max_wait_ms) && { max_wait_ms }),
        ...(offset_ms !== undefined && { offset_ms }),
      },
    },
    run: { seed, started_at, finished_at, wall_ms, target_ms: result.targetMs },
    totals: { requirements: countVerdicts(requirements), checks: countVerdicts(checks) },
    requirements,
    checks,
    rules,
    gaps: context.gaps,
    ...(preflight.length > 0 && { preflight }),
    ...(notes.length > 0 && { notes }),
  };
}
