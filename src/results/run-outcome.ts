import { coverageSuffices, isJudged, type RequiredCoverage } from './coverage.ts';
import { rootOf } from '../spec/vocabulary.ts';
import type { CoverageReport, EndedEarly, WaiverReport } from './run-report.ts';
import type { RunOutcome, Verdict } from './verdicts.ts';

/** As much of a run as its outcome depends on. */
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
  /** What kept the run from judging at all: a party that could not be reached. */
  readonly preflight?: readonly string[];
  /** Why the run ended before all was judged. Absent: it came to its end. */
  readonly endedEarly?: EndedEarly | undefined;
}

/**
 * Parts of the document (by their first number) that checks set out to exercise and did not: all their checks ran,
 * and yet nothing of the part was exercised, as when the target takes no order at all. No green run may hide that.
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
 * What a run comes to: `error` where we broke, `nonconformant` where a sentence is broken, `incomplete` where nothing was
 * broken but too little was judged to say that all is well, or where the run was stopped or its target was gone: what
 * fails then is shown, and is no verdict on the target.
 */
export function runOutcomeOf(basis: OutcomeBasis): RunOutcome {
  const all = [...basis.requirements, ...basis.checks, ...basis.rules];
  if (all.some(({ verdict }) => verdict === 'error')) return 'error';
  // A budget that is used up ends a run as it was meant to end: its unjudged parts decide.
  if (basis.endedEarly && basis.endedEarly.reason !== 'budget') return 'incomplete';
  const broken = basis.requirements.some(
    ({ verdict, waived }) => verdict === 'fail' && waived === undefined,
  );
  if (broken) return 'nonconformant';
  // Where checks ran, what rules saw in passing does not replace their verdicts.
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
  /** How much must have been judged. Absent: nothing is asked for. */
  readonly required?: RequiredCoverage;
}

/** 0 nothing violated, 1 violated, 2 a waiver that is to be corrected and nothing violated, 3 could not judge. */
export function exitCodeOf(
  run: {
    readonly outcome: RunOutcome;
    readonly requirements: readonly { readonly id: string; readonly verdict: Verdict }[];
    /** Absent: unknown, which is enough for nothing. */
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
