import { runOutcomeOf } from '../results/run-outcome.ts';
import { isDecisive } from '../results/verdicts.ts';
import type {
  CheckReport,
  Failure,
  RequirementReport,
  RunReport,
  WaiverReport,
} from '../results/run-report.ts';

/** A failure that is known and accepted for now. */
export interface Waiver {
  /** Of a check, a rule or a requirement. */
  readonly id: string;
  readonly reason: string;
  /** What the failure says, or a piece of it. */
  readonly message: string;
}

const speaksOf = (waiver: Waiver, judge: CheckReport, failure: Failure): boolean =>
  (waiver.id === judge.id || waiver.id === failure.requirement) &&
  failure.message.includes(waiver.message);

/** The reasons by which all of some failures are waived; undefined where one is not, or there are none. */
function reasonFor(
  failures: readonly (readonly [CheckReport, Failure])[],
  waivers: readonly Waiver[],
): string | undefined {
  const reasons = failures.map(
    ([judge, failure]) => waivers.find((waiver) => speaksOf(waiver, judge, failure))?.reason,
  );
  if (reasons.length === 0 || reasons.includes(undefined)) return undefined;
  return [...new Set(reasons)].join('; ');
}

const failed = (judge: CheckReport) =>
  judge.failures
    .filter(({ outcome }) => outcome === 'fail')
    .map((failure) => [judge, failure] as const);

function waiverReport(waiver: Waiver, report: RunReport): WaiverReport {
  const { id, reason, message } = waiver;
  const checksAndRules = [...report.checks, ...report.rules];
  const all = checksAndRules.flatMap(failed);
  const base = { id, reason, message };
  if (all.some(([judge, failure]) => speaksOf(waiver, judge, failure))) {
    return { ...base, status: 'met' };
  }
  const subject = [...checksAndRules, ...report.requirements].find((each) => each.id === id);
  if (!subject) return { ...base, status: 'broken', problem: 'nothing has this id' };
  const own = all.find(([judge, { requirement }]) => judge.id === id || requirement === id);
  if (own) {
    return { ...base, status: 'broken', problem: `it fails otherwise: ${own[1].message}` };
  }
  if (subject.verdict === 'error' || !isDecisive(subject.verdict)) {
    return { ...base, status: 'untested', problem: `it was not judged: ${subject.verdict}` };
  }
  if (subject.verdict === 'inconclusive') return { ...base, status: 'untested' };
  return { ...base, status: 'broken', problem: 'it no longer fails: take the waiver away' };
}

const withWaived = <T extends RequirementReport | CheckReport>(
  each: T,
  waived: string | undefined,
): T => (each.verdict === 'fail' && waived !== undefined ? { ...each, waived } : each);

/**
 * Marks the failures that were declared, and computes the outcome again: a failure that was waived decides nothing, and a
 * waiver whose failure is gone or has become another makes the run nonconformant. Verdicts and counts stay as they are.
 */
export function applyWaivers(report: RunReport, waivers: readonly Waiver[]): RunReport {
  const judge = (each: CheckReport) => withWaived(each, reasonFor(failed(each), waivers));
  const checks = report.checks.map(judge);
  const rules = report.rules.map(judge);
  const all = [...checks, ...rules].flatMap(failed);
  const requirements = report.requirements.map((each) => {
    const own = all.filter(([, failure]) => failure.requirement === each.id);
    return withWaived(each, reasonFor(own, waivers));
  });
  const states = waivers.map((waiver) => waiverReport(waiver, report));
  const unmetWaivers = states.filter(({ status }) => status === 'broken').length;
  const { preflight = [] } = report;
  const outcome = runOutcomeOf({ requirements, checks, rules, preflight, unmetWaivers });
  return { ...report, outcome, requirements, checks, rules, waivers: states };
}
