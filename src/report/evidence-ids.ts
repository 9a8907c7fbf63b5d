import type { RunReport } from '../results/run-report.ts';

/**
 * Ids of every exchange and frame that a failure, the failure of a scenario, or the reason of a check rests on, or that
 * passed beside it.
 */
export function evidenceIds({
  checks,
  rules,
  requirements,
  scenarios = [],
}: RunReport): ReadonlySet<string> {
  const judged = [...checks, ...rules].flatMap(({ failures }) => failures);
  const played = scenarios.flatMap(({ failures = [] }) => failures);
  const passed = requirements.flatMap(({ contrast }) => contrast?.passed ?? []);
  const seen = [...checks, ...rules].flatMap((one) => one.seen ?? []);
  return new Set([...judged, ...played].flatMap(({ exchanges }) => exchanges).concat(passed, seen));
}

/** The report with other ids of the exchanges and frames that its checks and rules rest on. */
export function withEvidenceIds(report: RunReport, idOf: (id: string) => string): RunReport {
  const renamed = <T extends RunReport['checks'][number]>(judges: readonly T[]): T[] =>
    judges.map((one) => ({
      ...one,
      ...(one.seen && { seen: one.seen.map(idOf) }),
      failures: one.failures.map((each) => ({ ...each, exchanges: each.exchanges.map(idOf) })),
    }));
  const requirements = report.requirements.map((one) =>
    one.contrast?.passed === undefined
      ? one
      : { ...one, contrast: { ...one.contrast, passed: idOf(one.contrast.passed) } },
  );
  return { ...report, requirements, checks: renamed(report.checks), rules: renamed(report.rules) };
}
