import type { RunReport } from '../results/run-report.ts';

/** Ids of every exchange and frame that a failure, or the failure of a scenario, rests on. */
export function evidenceIds({ checks, rules, scenarios = [] }: RunReport): ReadonlySet<string> {
  const judged = [...checks, ...rules].flatMap(({ failures }) => failures);
  const played = scenarios.flatMap(({ failures = [] }) => failures);
  return new Set([...judged, ...played].flatMap(({ exchanges }) => exchanges));
}
