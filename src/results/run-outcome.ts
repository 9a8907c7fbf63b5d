import { coverageSuffices, isJudged, type RequiredCoverage } from './coverage.ts';
import { rootOf } from '../spec/vocabulary.ts';
import type { CheckReport, RequirementReport, RunReport, WaiverReport } from './run-report.ts';
import { type Requirement, requirements } from '../spec/requirements/index.ts';
import type { RunOutcome, Verdict } from './verdicts.ts';

type Judged<K extends keyof RequirementReport> = Pick<RequirementReport, K | 'verdict' | 'waived'>;

/** Part of a report that the outcome depends on. A waived failure was expected: it decides nothing. */
export interface OutcomeBasis extends Pick<RunReport, 'preflight'> {
  readonly requirements: readonly Judged<'id' | 'part' | 'exercised'>[];
  readonly checks: readonly (Judged<never> & Pick<CheckReport, 'requirements'>)[];
  readonly rules: readonly Judged<never>[];
  readonly run?: Pick<RunReport['run'], 'ended_early'>;
}

/**
 * Parts of the document (by their first number) of which no requirement was exercised, although checks for them ran.
 * This happens if the target accepts no order at all. No green run may hide that.
 */
export function unexercisedParts(basis: Pick<OutcomeBasis, 'requirements' | 'checks'>): string[] {
  const partOf = new Map(basis.requirements.map(({ id, part }) => [id, rootOf(part)]));
  const intended = new Set(
    basis.checks
      .filter(({ verdict }) => verdict !== 'out_of_scope')
      .flatMap(({ requirements }) => requirements.map((id) => partOf.get(id) ?? '')),
  );
  const lit = new Set(
    basis.requirements.filter(({ exercised }) => exercised > 0).map(({ part }) => rootOf(part)),
  );
  return [...intended].filter((part) => part !== '' && !lit.has(part));
}

/**
 * Outcome of a run. `error`: assay itself failed. `nonconformant`: a requirement is broken. `incomplete`: nothing is
 * broken but too little was judged, or the run was stopped, or the target was gone. Failures of an incomplete run are
 * shown, but are no verdict on the target.
 */
export function runOutcomeOf(basis: OutcomeBasis): RunOutcome {
  const all = [...basis.requirements, ...basis.checks, ...basis.rules];
  if (all.some(({ verdict }) => verdict === 'error')) return 'error';
  // A used-up budget is a planned end: the unjudged parts decide.
  const ended = basis.run?.ended_early;
  if (ended && ended.reason !== 'budget') return 'incomplete';
  const broken = basis.requirements.some(
    ({ verdict, waived }) => verdict === 'fail' && waived === undefined,
  );
  if (broken) return 'nonconformant';
  // If checks ran, the findings of rules do not replace the verdicts of checks.
  const isIdle = basis.checks.length > 0 && !basis.checks.some(({ verdict }) => isJudged(verdict));
  const nothing = isIdle || !basis.requirements.some(({ exercised }) => exercised > 0);
  const blind = (basis.preflight?.length ?? 0) > 0 || nothing;
  return blind || unexercisedParts(basis).length > 0 ? 'incomplete' : 'conformant';
}

/** Verdicts that leave a requirement unproven. */
const unproven: readonly Verdict[] = ['inconclusive', 'not_exercised', 'out_of_scope'];

/** Requirements that no black box can judge: never held against a run. */
const unobservable: ReadonlySet<string> = new Set(
  Object.entries<Requirement>(requirements).flatMap(([id, requirement]) =>
    requirement.unobservable === undefined ? [] : [id],
  ),
);

/**
 * 0: nothing violated, or nothing new if a baseline decides. 1: violated. 2: a waiver must be corrected. 3: could not
 * judge, or judged less than `required`.
 * @param strictness `strict`: a requirement that was not proven counts as not judged
 */
export function exitCodeOfReport(
  report: Pick<RunReport, 'outcome' | 'coverage' | 'baseline'> & {
    readonly requirements: readonly Pick<RequirementReport, 'id' | 'verdict'>[];
    readonly waivers?: readonly Pick<WaiverReport, 'status'>[];
  },
  strictness: 'strict' | 'lenient' = 'lenient',
  required?: RequiredCoverage,
): 0 | 1 | 2 | 3 {
  const outcome = report.baseline?.outcome ?? report.outcome;
  if (outcome === 'nonconformant') return 1;
  if (outcome !== 'conformant') return 3;
  if (report.waivers?.some(({ status }) => status === 'broken')) return 2;
  // An unknown coverage never suffices.
  if (required && !(report.coverage && coverageSuffices(report.coverage, required))) return 3;
  const open = report.requirements.some(
    ({ id, verdict }) => unproven.includes(verdict) && !unobservable.has(id),
  );
  return strictness === 'strict' && open ? 3 : 0;
}
