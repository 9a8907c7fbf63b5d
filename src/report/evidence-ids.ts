import type { RunReport } from '../results/run-report.ts';

/** Ids of every exchange and frame that a failure, or the failure of a scenario, rests on, or that passed beside it. */
export function evidenceIds({
  checks,
  rules,
  requirements,
  scenarios = [],
}: RunReport): ReadonlySet<string> {
  const judged = [...checks, ...rules].flatMap(({ failures }) => failures);
  const played = scenarios.flatMap(({ failures = [] }) => failures);
  const passed = requirements.flatMap(({ contrast }) => contrast?.passed ?? []);
  return new Set([...judged, ...played].flatMap(({ exchanges }) => exchanges).concat(passed));
}
