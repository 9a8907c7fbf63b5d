import type { RunReport } from '../results/run-report.ts';

/**
 * Ids of all exchanges and frames that are evidence of a failure, of a scenario's failure or of a check's reason, or
 * that a contrast names as passed.
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

/** Copy of a report with renamed ids of exchanges and frames. */
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
