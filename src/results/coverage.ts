import { groupBy } from '../history/group-by.ts';
import type { CombinationReport, CoverageReport, Lack, TriedReport } from './coverage-report.ts';
import type { CheckReport, RequirementReport } from './run-report.ts';
import type { Verdict } from './verdicts.ts';

/** Size of the suite of a run, and the selection of a part of it. */
export interface CoverageBasis {
  /** Checks of the whole suite, selected or not. */
  readonly all: number;
  /** Absent: the whole suite was selected. */
  readonly part?: CoverageReport['part'];
  /** Pairs of circumstances that came together. Absent: not known. */
  readonly combinations?: CombinationReport;
  /** Ages, amounts and edges that were tried. Absent: not known. */
  readonly tried?: TriedReport;
}

/** Part of a run report that the coverage depends on. */
export interface CoverageSubject {
  readonly checks: readonly Pick<CheckReport, 'requirements' | 'verdict' | 'lacks'>[];
  readonly requirements: readonly Pick<RequirementReport, 'id' | 'level' | 'verdict' | 'reason'>[];
}

const judgedVerdicts: readonly Verdict[] = ['pass', 'warn', 'fail'];
/** True if a verdict says something about the target. */
export const isJudged = (verdict: Verdict): boolean => judgedVerdicts.includes(verdict);

/** Computes the share of the suite that a run judged, and the needs that kept it from the rest. */
export function coverageOf(
  { checks, requirements }: CoverageSubject,
  { all, part, combinations, tried }: CoverageBasis,
): CoverageReport {
  const count = (holds: (check: CoverageSubject['checks'][number]) => boolean): number =>
    checks.filter(holds).length;
  const lacking = ({ verdict, lacks = [] }: CoverageSubject['checks'][number]): boolean =>
    verdict === 'out_of_scope' && lacks.length > 0;
  const judged = count(({ verdict }) => isJudged(verdict));
  const outOfScope = count(lacking);
  const notApplicable = count((one) => one.verdict === 'out_of_scope' && !lacking(one));
  // If only a part was selected, the checks for a requirement may be outside that part.
  const unexercised = checks.length < all ? [] : unexercisedMusts({ checks, requirements });
  return {
    checks: {
      all,
      judged,
      undecided: checks.length - judged - outOfScope - notApplicable,
      not_applicable: notApplicable,
      out_of_scope: outOfScope,
      not_selected: all - checks.length,
    },
    // A selection of everything is no part. Exceptions: a profile also bounds the waits, and in a small suite other
    // shards may be empty.
    ...(part && (checks.length < all || (part.profile ?? part.shard)) && { part }),
    left_out: leftOut(checks.filter(lacking).map(({ lacks = [] }) => lacks)),
    ...(unexercised.length > 0 && { unexercised }),
    ...(combinations && { combinations }),
    ...(tried && { tried }),
  };
}

/** Name of each kind of lack. All waits have one name, since a `max_wait` that is high enough brings all of them in. */
const nameOf = (lack: Lack): string => {
  if ('wait_ms' in lack) return 'max_wait';
  if ('signing' in lack) return 'signing';
  return 'party' in lack ? `party ${lack.party}` : `control ${lack.control}`;
};

const namesOf = (lacks: readonly Lack[]): string => lacks.map(nameOf).join(', ');

const waitIn = (lacks: readonly Lack[]): number =>
  Math.max(0, ...lacks.map((lack) => ('wait_ms' in lack ? lack.wait_ms : 0)));

/**
 * Groups checks out of scope by the exact set of their lacks. If a check lacks several things, only all of them
 * together bring it into scope. The largest group first.
 */
function leftOut(lacking: readonly (readonly Lack[])[]): CoverageReport['left_out'] {
  const sorted = lacking.map((lacks) =>
    lacks.toSorted((one, other) => (nameOf(one) < nameOf(other) ? -1 : 1)),
  );
  return [...groupBy(sorted, namesOf).values()]
    .map((group) => {
      const waits = group.map(waitIn);
      const longest = Math.max(...waits);
      const needs = (group[0] ?? []).map((lack) =>
        'wait_ms' in lack ? { wait_ms: longest } : lack,
      );
      return { needs, checks: group.length, ...(longest > 0 && { waits: stepsOf(waits) }) };
    })
    .toSorted(
      (one, other) =>
        other.checks - one.checks ||
        one.needs.length - other.needs.length ||
        (namesOf(one.needs) < namesOf(other.needs) ? -1 : 1),
    );
}

/** Values of `max_wait` worth a mention, in milliseconds. A value between two of them brings hardly more checks. */
const spansMs = [5_000, 15_000, 30_000, 90_000, 300_000, 1_800_000, 5_400_000] as const;

/** Number of checks that each `max_wait` would bring in, up to the one that brings all. */
function stepsOf(
  waits: readonly number[],
): { readonly max_wait_ms: number; readonly checks: number }[] {
  const longest = Math.max(...waits);
  const steps = [...spansMs.filter((span) => span < longest), longest].map((max_wait_ms) => ({
    max_wait_ms,
    checks: waits.filter((wait) => wait <= max_wait_ms).length,
  }));
  return steps.filter(({ checks }, place) => checks > (steps[place - 1]?.checks ?? 0));
}

/** Requirements that must hold and that nothing exercised, although checks for them were in scope and ran. */
function unexercisedMusts({
  checks,
  requirements,
}: CoverageSubject): { readonly id: string; readonly reason: string }[] {
  const driven = new Set(
    checks
      .filter(({ verdict }) => verdict !== 'out_of_scope')
      .flatMap((check) => check.requirements),
  );
  return requirements
    .filter(
      ({ id, level, verdict }) => level === 'must' && verdict === 'not_exercised' && driven.has(id),
    )
    .map(({ id, reason = 'no reason is known' }) => ({ id, reason }));
}

/** Merges the pairs of several runs: a pair is unmet if no run met it. Undefined if the runs have different pairs. */
export function mergeCombinations(
  some: readonly (CombinationReport | undefined)[],
): CombinationReport | undefined {
  const [first, ...others] = some;
  if (!first) return undefined;
  if (others.some((one) => one?.admissible !== first.admissible)) return undefined;
  const unmet = first.unmet.filter((pair) => others.every((one) => one?.unmet.includes(pair)));
  return { admissible: first.admissible, met: first.admissible - unmet.length, unmet };
}

/**
 * Adds up the counts of several runs. Undefined if a run has none. For distinct rates and currency pairs, the highest
 * count of one run.
 */
export const mergeTried = (some: readonly (TriedReport | undefined)[]): TriedReport | undefined =>
  some.reduce((sum, one) => {
    if (!sum || !one) return undefined;
    return {
      ...added(sum, one),
      currency_pairs: Math.max(sum.currency_pairs, one.currency_pairs),
      rates: Math.max(sum.rates, one.rates),
      maxima: added(sum.maxima, one.maxima),
    };
  });

/** Sums of the members of two objects, in the order of the first. */
const added = <T extends object>(one: T, other: T): T =>
  Object.fromEntries(
    Object.entries(one).map(([name, count]) => [name, count + other[name as keyof T]]),
  ) as T;

/** Minimum coverage of the checks that apply to a target: a percentage, or `full` (see coverageSuffices). */
export type RequiredCoverage =
  | { readonly kind: 'percent'; readonly percent: number }
  | { readonly kind: 'full' };

/** Number of checks that apply to a target: all but those that its answers to gaps rule out. */
export const applicableChecks = ({ checks }: CoverageReport): number =>
  checks.all - checks.not_applicable;

/**
 * True if enough was judged. `full`: the whole suite was selected, the target lacks nothing, and no requirement that
 * must hold stayed unexercised.
 */
export function coverageSuffices(coverage: CoverageReport, required: RequiredCoverage): boolean {
  const { checks, unexercised = [] } = coverage;
  if (required.kind === 'percent') {
    return checks.judged * 100 >= required.percent * applicableChecks(coverage);
  }
  return checks.out_of_scope === 0 && checks.not_selected === 0 && unexercised.length === 0;
}
