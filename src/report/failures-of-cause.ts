import type { CauseReport, CheckReport, Failure, RunReport } from '../results/run-report.ts';

export interface SourcedFailure {
  readonly source: CheckReport;
  readonly failure: Failure;
}

/** The failures that a cause explains, each with the check or rule that found it. */
export function failuresOf(report: RunReport, cause: CauseReport): readonly SourcedFailure[] {
  const sources = new Map([...report.checks, ...report.rules].map((each) => [each.id, each]));
  return cause.failures.flatMap(({ source: id, index }) => {
    const source = sources.get(id);
    const failure = source?.failures[index];
    return source && failure ? [{ source, failure }] : [];
  });
}
