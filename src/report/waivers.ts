import { runOutcomeOf } from '../results/run-outcome.ts';
import type {
  CheckReport,
  RequirementReport,
  RunReport,
  UnwaivedFailure,
} from '../results/run-report.ts';
import { causesIn } from './cause-failures.ts';
import {
  type FailureFound,
  failuresIn,
  isOver,
  names,
  takes,
  type Waiver,
  type WaiverScope,
} from './waiver.ts';
import { waiverReport } from './waiver-status.ts';

export type { Waiver, WaiverScope } from './waiver.ts';

const wholeRun: WaiverScope = { suiteIds: new Set(), extent: 'whole' };

/** Reasons of the waivers that cover all of these failures. Undefined if one is not covered, or there are none. */
function reasonFor(
  failures: readonly FailureFound[],
  waivers: readonly Waiver[],
): string | undefined {
  const reasons = failures.map((found) => waivers.find((waiver) => takes(waiver, found))?.reason);
  if (reasons.length === 0 || reasons.includes(undefined)) return undefined;
  return [...new Set(reasons)].join('; ');
}

/** Failures that no waiver covers; each message of each judge once. */
function unwaivedOf(
  all: readonly FailureFound[],
  waivers: readonly Waiver[],
): readonly UnwaivedFailure[] {
  const found = new Map<string, UnwaivedFailure>();
  for (const one of all) {
    if (waivers.some((waiver) => takes(waiver, one))) continue;
    const { judge, failure, causes } = one;
    const { requirement, message } = failure;
    const near = waivers.find((waiver) => !('cause' in waiver) && names(waiver, one));
    const reason =
      near && 'message' in near
        ? `the waiver of ${near.id} speaks of another message: ${near.message}`
        : 'no waiver names it';
    found.set(JSON.stringify([judge.id, requirement, message]), {
      id: judge.id,
      ...(requirement !== undefined && { requirement }),
      causes,
      message,
      reason,
    });
  }
  return [...found.values()];
}

const withWaived = <T extends RequirementReport | CheckReport>(
  each: T,
  waived: string | undefined,
): T => (each.verdict === 'fail' && waived !== undefined ? { ...each, waived } : each);

/**
 * Marks the failures that waivers cover, and computes the outcome without them. Verdicts and counts stay as they are.
 */
export function applyWaivers(
  report: RunReport,
  declared: readonly Waiver[],
  scope: WaiverScope = wholeRun,
): RunReport {
  const found = causesIn(report);
  const all = failuresIn(report, found);
  const waivers = declared.filter((waiver) => !isOver(waiver, report));
  const reasonOf = (isOwn: (one: FailureFound) => boolean) => reasonFor(all.filter(isOwn), waivers);
  const judge = (each: CheckReport) =>
    withWaived(
      each,
      reasonOf((one) => one.judge.id === each.id),
    );
  const checks = report.checks.map(judge);
  const rules = report.rules.map(judge);
  const requirements = report.requirements.map((each) =>
    withWaived(
      each,
      reasonOf((one) => one.failure.requirement === each.id),
    ),
  );
  const causes = found.map((each) => {
    const waived = reasonOf((one) => one.causes.includes(each.id));
    return waived === undefined ? each : { ...each, waived };
  });
  const states = declared.map((waiver) =>
    waiverReport(waiver, report, { all, causes: found }, scope),
  );
  const unwaived = unwaivedOf(all, waivers);
  const { preflight = [], run } = report;
  const outcome = runOutcomeOf({
    requirements,
    checks,
    rules,
    preflight,
    endedEarly: run.ended_early,
  });
  return {
    ...report,
    outcome,
    requirements,
    checks,
    rules,
    ...(causes.length > 0 && { causes }),
    waivers: states,
    ...(unwaived.length > 0 && { unwaived }),
  };
}
