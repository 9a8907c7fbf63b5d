import type { CauseReport, CheckReport, Failure, RunReport } from '../results/run-report.ts';

/** A failure that is known and accepted for now. */
export type Waiver = (FailureWaiver | CauseWaiver) & {
  readonly reason: string;
  /** Last day (UTC) on which it is accepted, as `2027-03-31`. Absent: until it is fixed. */
  readonly until?: string;
};

/** Covers the failures of one check, scenario, rule or requirement with one message. */
export interface FailureWaiver {
  /** Id of a check, a scenario, a rule or a requirement. */
  readonly id: string;
  /** Message of the failure, or a part of it. */
  readonly message: string;
}

/** Covers every failure of one cause, and no other. */
export interface CauseWaiver {
  /** Id of the cause in the report. */
  readonly cause: string;
}

/** Scope of a run. A waiver of something outside the scope is neither met nor broken. */
export interface WaiverScope {
  /** Ids of all existing checks, scenarios and rules, run or not. */
  readonly suiteIds: ReadonlySet<string>;
  readonly extent: 'whole' | 'part';
}

/** A failure of a run. */
export interface FailureFound {
  readonly judge: CheckReport;
  readonly failure: Failure;
  /** Ids of its causes. */
  readonly causes: readonly string[];
}

/** Every failure of a run, with its causes. */
export function failuresIn(
  report: RunReport,
  causes: readonly CauseReport[],
): readonly FailureFound[] {
  const causesAt = new Map<string, string[]>();
  for (const { id, failures } of causes) {
    for (const { source, index } of failures) {
      const key = `${source} ${index}`;
      causesAt.set(key, [...(causesAt.get(key) ?? []), id]);
    }
  }
  return [...report.checks, ...report.rules].flatMap((judge) =>
    judge.failures.flatMap((failure, index) =>
      failure.outcome === 'fail'
        ? [{ judge, failure, causes: causesAt.get(`${judge.id} ${index}`) ?? [] }]
        : [],
    ),
  );
}

export const names = ({ id }: FailureWaiver, { judge, failure }: FailureFound): boolean =>
  id === judge.id || id === failure.requirement;

export const takes = (waiver: Waiver, found: FailureFound): boolean =>
  'cause' in waiver
    ? found.causes.includes(waiver.cause)
    : names(waiver, found) && found.failure.message.includes(waiver.message);

/** True if the last day of a waiver is before the day of the run, both in UTC. A waiver that is over covers nothing. */
export function isOver({ until }: Waiver, { run }: RunReport): boolean {
  return until !== undefined && until < run.finished_at.slice(0, 'YYYY-MM-DD'.length);
}
