import { coverageSuffices, isJudged, type RequiredCoverage } from './coverage.ts';
import { rootOf } from '../spec/vocabulary.ts';
import type { CoverageReport, RunReport, WaiverReport } from './run-report.ts';
import type { RunOutcome, Verdict } from './verdicts.ts';

/** Part of a run that the outcome depends on. */
export interface OutcomeBasis {
  readonly requirements: readonly {
    readonly id: string;
    readonly part: string;
    readonly verdict: Verdict;
    readonly exercised: number;
    /** A waived failure was expected: it decides nothing. */
    readonly waived?: string;
  }[];
  readonly checks: readonly {
    readonly requirements: readonly string[];
    readonly verdict: Verdict;
    readonly waived?: string;
  }[];
  readonly rules: readonly { readonly verdict: Verdict; readonly waived?: string }[];
  readonly preflight?: RunReport['preflight'];
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

export interface ExitOptions {
  /** `strict`: a requirement that was not proven counts as not judged. */
  readonly strictness: 'strict' | 'lenient';
  /** Requirements that no black box can judge: never held against a run. */
  readonly unobservable: ReadonlySet<string>;
  /** Minimum coverage. Absent: none. */
  readonly required?: RequiredCoverage;
}

/** 0: nothing violated. 1: violated. 2: nothing violated, but a waiver must be corrected. 3: could not judge. */
export function exitCodeOf(
  run: {
    readonly outcome: RunOutcome;
    readonly requirements: readonly { readonly id: string; readonly verdict: Verdict }[];
    /** Absent: not known, which never suffices. */
    readonly coverage?: CoverageReport;
    readonly waivers?: readonly Pick<WaiverReport, 'status'>[];
  },
  options: ExitOptions,
): 0 | 1 | 2 | 3 {
  if (run.outcome === 'nonconformant') return 1;
  if (run.outcome !== 'conformant') return 3;
  if (run.waivers?.some(({ status }) => status === 'broken')) return 2;
  const { required } = options;
  if (required && !(run.coverage && coverageSuffices(run.coverage, required))) return 3;
  const open = run.requirements.some(
    ({ id, verdict }) => unproven.includes(verdict) && !options.unobservable.has(id),
  );
  return options.strictness === 'strict' && open ? 3 : 0;
}
