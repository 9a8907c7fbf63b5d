import { causesOf } from '../results/causes/index.ts';
import type { CauseReport, RunReport } from '../results/run-report.ts';

/** Causes of a report. For an old report without causes, they are computed now. */
export const causesIn = (report: RunReport): readonly CauseReport[] =>
  report.causes ?? causesOf(report.requirements, [...report.checks, ...report.rules]);

export const failingCauses = (report: RunReport): readonly CauseReport[] =>
  causesIn(report).filter(({ outcome }) => outcome === 'fail');

/** Reason why a failure does not count. Undefined if it counts. */
export const excuseOf = ({
  waived,
  known,
}: {
  readonly waived?: string;
  readonly known?: true;
}): string | undefined =>
  waived === undefined ? known && 'known: the baseline has it as well' : `waived: ${waived}`;

/** Ids of the causes of each requirement, or of each check and rule. */
export function causeIdsBy(
  causes: readonly CauseReport[],
  by: 'requirement' | 'source',
): ReadonlyMap<string, readonly string[]> {
  const found = new Map<string, string[]>();
  for (const { id, requirements, failures } of causes) {
    const named = by === 'requirement' ? requirements : failures.map(({ source }) => source);
    for (const name of new Set(named)) found.set(name, [...(found.get(name) ?? []), id]);
  }
  return found;
}
