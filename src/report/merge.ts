import { causesOf } from '../results/causes/index.ts';
import { coverageOf, mergeCombinations, mergeTried } from '../results/coverage.ts';
import { groupBy } from '../history/group-by.ts';

import { combineVerdicts, isDecisive, type Verdict, worstVerdict } from '../results/verdicts.ts';
import type { SourceReport } from '../results/source-report.ts';
import { reportOf } from './assemble.ts';
import { joinPreflight, joinShards } from './shards.ts';
import type {
  CauseReport,
  CheckReport,
  GapReport,
  RequirementReport,
  RunReport,
  WaiverReport,
} from '../results/run-report.ts';

/** A failure is waived if all reports with this failure waive it. */
function mergeWaived(some: readonly { readonly verdict: Verdict; readonly waived?: string }[]): {
  readonly waived?: string;
} {
  const failing = some.filter((each) => each.verdict === 'fail');
  const reasons = failing.flatMap(({ waived }) => waived ?? []);
  const isWaived = failing.length > 0 && reasons.length === failing.length;
  return isWaived ? { waived: [...new Set(reasons)].join('; ') } : {};
}

const waiverStatuses = ['untested', 'broken', 'met'] as const;

/** Each waiver once, with its most telling status: a status from one shard counts more than `untested` in another. */
function mergeWaivers(reports: readonly RunReport[]): WaiverReport[] {
  const found = new Map<string, WaiverReport>();
  const rank = ({ status }: WaiverReport): number => waiverStatuses.indexOf(status);
  for (const waiver of reports.flatMap(({ waivers = [] }) => waivers)) {
    const key = JSON.stringify([waiver.kind, waiver.id, waiver.kind ?? waiver.message]);
    const other = found.get(key);
    if (!other || rank(waiver) > rank(other)) found.set(key, waiver);
  }
  return [...found.values()];
}

type Merged =
  | { readonly ok: true; readonly report: RunReport }
  | { readonly ok: false; readonly problem: string };

type Group<T> = readonly [T, ...T[]];

/** Groups items by id, in the order in which the ids first occur. */
const groupsOf = <T extends { readonly id: string }>(lists: readonly (readonly T[])[]) =>
  [...groupBy(lists.flat(), ({ id }) => id).values()] as unknown as Group<T>[];

const union = (lists: readonly (readonly string[])[]): string[] => [...new Set(lists.flat())];

function mergeRequirement(some: Group<RequirementReport>): RequirementReport {
  const { id, part, level, summary } = some[0];
  const { verdict, reason, ...counts } = combineVerdicts(some);
  return {
    id,
    part,
    level,
    summary,
    verdict,
    ...(reason !== undefined && { reason }),
    judged_by: union(some.map((each) => each.judged_by)),
    ...counts,
    ...mergeWaived(some),
  };
}

/** Merges reports of one check or rule. Runs with a verdict on it count more than runs without one. */
function mergeSource(some: Group<CheckReport>): CheckReport {
  const judged = some.filter(({ verdict }) => isDecisive(verdict));
  const {
    omitted: _,
    failures: __,
    waived: ___,
    ...shown
  } = (judged.length > 0 ? judged : some).reduce((worst, each) =>
    worstVerdict([worst.verdict, each.verdict]) === worst.verdict ? worst : each,
  );
  const omitted = some.reduce((sum, each) => sum + (each.omitted ?? 0), 0);
  const failures = some.flatMap((each) => each.failures);
  return { ...shown, failures, ...(omitted > 0 && { omitted }), ...mergeWaived(some) };
}

/** Maximum number of failures per rule: a rule that fails in one history fails in most of them. */
const mostFailures = 20;

/** Merges the results of each rule on several histories. */
export const mergeRuleReports = (runs: readonly (readonly SourceReport[])[]): SourceReport[] =>
  groupsOf(runs).map((some) => {
    const merged = mergeSource(some);
    const all = some.flatMap(({ judged }) => judged);
    const judged = merged.requirements.map((requirement) => ({
      requirement,
      ...combineVerdicts(all.filter((one) => one.requirement === requirement)),
    }));
    const failures = merged.failures.slice(0, mostFailures);
    const omitted = (merged.omitted ?? 0) + merged.failures.length - failures.length;
    return { ...merged, judged, failures, ...(omitted > 0 && { omitted }) };
  });

function mergeGap(some: Group<GapReport>): GapReport {
  const { id, part, question } = some[0];
  const observed = union(some.map((each) => (each.observed === undefined ? [] : [each.observed])));
  const declared = some.find((each) => each.declared !== undefined)?.declared;
  return {
    id,
    part,
    question,
    ...(declared !== undefined && { declared }),
    ...(observed[0] !== undefined && { observed: observed[0] }),
    consistent: observed.length <= 1 && some.every((each) => each.consistent),
    unlocks: Math.min(...some.map((each) => each.unlocks)),
  };
}

/** Computes the causes again from the merged report. A cause is waived if every report with it waives it. */
function mergeCauses(
  reports: readonly RunReport[],
  requirements: readonly RequirementReport[],
  judges: readonly CheckReport[],
): CauseReport[] {
  const given = reports.flatMap(({ causes = [] }) => causes);
  return causesOf(requirements, judges).map((cause) => {
    const same = given.filter(({ id }) => id === cause.id);
    return { ...cause, ...mergeWaived(same.map((one) => ({ ...one, verdict: one.outcome }))) };
  });
}

/** Start options of the runs, if equal in all reports. */
function startedWith(reports: readonly RunReport[]): Pick<RunReport['run'], 'started_with'> {
  const [first, ...others] = reports.map(({ run }) => run.started_with);
  const isSame = others.every((words) => JSON.stringify(words) === JSON.stringify(first));
  return isSame && first ? { started_with: first } : {};
}

type Part = NonNullable<NonNullable<RunReport['coverage']>['part']>;

/**
 * Computes the coverage again from the merged report: the shards of a run together are the whole run.
 * @param shard the part of the suite that the runs are together; undefined if they are all of it
 */
function mergedCoverage(
  reports: readonly RunReport[],
  merged: Pick<RunReport, 'checks' | 'requirements'>,
  shard: Part['shard'],
): Pick<RunReport, 'coverage'> {
  const known = reports.flatMap(({ coverage }) => coverage ?? []);
  if (known.length < reports.length) return {};
  const all = Math.max(...known.map(({ checks }) => checks.all));
  const { shard: _, ...asked } = known.find((one) => one.part)?.part ?? {};
  const part = { ...asked, ...(shard && { shard }) };
  const combinations = mergeCombinations(known.map((one) => one.combinations));
  const tried = mergeTried(known.map((one) => one.tried));
  return {
    coverage: coverageOf(merged, {
      all,
      ...(Object.keys(part).length > 0 && { part }),
      ...(combinations && { combinations }),
      ...(tried && { tried }),
    }),
  };
}

/** Adds the seed of its run to each failure, so that it can be replayed from a report of several seeds. */
function seeded(report: RunReport): RunReport {
  const { seed } = report.run;
  const marked = (sources: readonly CheckReport[]): CheckReport[] =>
    sources.map((source) => ({
      ...source,
      // Failures of an already merged report keep their seed.
      failures: source.failures.map((failure) => ({ seed, ...failure })),
    }));
  return { ...report, checks: marked(report.checks), rules: marked(report.rules) };
}

/** Requirements keep the order of the catalogue; checks of different shards follow the order of first occurrence. */
function assemble(given: readonly RunReport[], first: RunReport, shard: Part['shard']): RunReport {
  const reports = given.some(({ run }) => run.seed !== first.run.seed) ? given.map(seeded) : given;
  const requirements = groupsOf(reports.map((each) => each.requirements)).map(mergeRequirement);
  const checks = groupsOf(reports.map((each) => each.checks)).map(mergeSource);
  const rules = groupsOf(reports.map((each) => each.rules)).map(mergeSource);
  const waivers = mergeWaivers(reports);
  const unwaived = reports.flatMap((each) => each.unwaived ?? []);
  const runs = reports.map((each) => each.run);
  const [ended_early] = runs.flatMap((each) => each.ended_early ?? []);
  const ids = union(runs.map(({ id }) => (id === undefined ? [] : [id])));
  const report = reportOf({
    suite: first.suite,
    target: {
      ...first.target,
      participants: Object.fromEntries(
        reports.flatMap((each) => Object.entries(each.target.participants)),
      ),
    },
    run: {
      seed: union(runs.map((each) => [each.seed])).join(','),
      ...(ids.length > 0 && { id: ids.join(',') }),
      started_at: runs.map((each) => each.started_at).toSorted()[0] ?? '',
      finished_at:
        runs
          .map((each) => each.finished_at)
          .toSorted()
          .at(-1) ?? '',
      wall_ms: Math.max(...runs.map((each) => each.wall_ms)),
      target_ms: Math.max(...runs.map((each) => each.target_ms)),
      ...(ended_early && { ended_early }),
      ...startedWith(reports),
    },
    requirements,
    checks,
    rules,
    causes: mergeCauses(reports, requirements, [...checks, ...rules]),
    gaps: groupsOf(reports.map((each) => each.gaps)).map(mergeGap),
    ...mergedCoverage(reports, { checks, requirements }, shard),
    preflight: joinPreflight(reports, shard),
    notes: union(reports.map((each) => each.notes ?? [])),
  });
  return {
    ...report,
    ...(waivers.length > 0 && { waivers }),
    ...(unwaived.length > 0 && { unwaived }),
  };
}

/** Merges several runs of one suite against one target, such as the shards of a job, into one report. */
export function mergeReports(reports: readonly RunReport[]): Merged {
  const [first] = reports;
  if (!first) return { ok: false, problem: 'no report to merge' };
  const other = (differs: (each: RunReport) => boolean) => reports.find(differs);
  const suite = other((each) => each.suite.digest !== first.suite.digest);
  if (suite) {
    const versions = `${first.suite.version} and ${suite.suite.version}`;
    return { ok: false, problem: `reports of different suites (${versions}) cannot be merged` };
  }
  const target = other((each) => each.target.name !== first.target.name);
  if (target) {
    const names = `${first.target.name} and ${target.target.name}`;
    return { ok: false, problem: `reports of different targets (${names}) cannot be merged` };
  }
  const joined = joinShards(reports);
  return joined.ok ? { ok: true, report: assemble(reports, first, joined.shard) } : joined;
}
