import type { CauseReport, CheckReport, Failure, RunReport } from '../results/run-report.ts';
import { causesIn } from './causes.ts';

/** A failure of a run. */
export interface FailureFound {
  readonly judge: CheckReport;
  readonly failure: Failure;
  /** Ids of its causes. */
  readonly causes: readonly string[];
}

/** Every failure of a run, with its causes. */
export function failuresIn(report: RunReport): readonly FailureFound[] {
  const causesAt = new Map<string, string[]>();
  for (const { id, failures } of causesIn(report)) {
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

/** An entry of the list of known failures, which waivers and baselines are read to. */
export interface KnownFailure {
  readonly takes: (found: FailureFound) => boolean;
  /** Id of the cause all of whose failures are known. */
  readonly cause?: string;
  /** Why it is accepted. Absent: a baseline has it as well, and needs no reason. */
  readonly reason?: string;
}

export const knownCause = (cause: string, reason?: string): KnownFailure => ({
  takes: ({ causes }) => causes.includes(cause),
  cause,
  ...(reason !== undefined && { reason }),
});

/** Entries for the marks that an earlier reading of waivers left in a report. */
function marksIn(report: RunReport): readonly KnownFailure[] {
  const entries = (
    marked: readonly { readonly id: string; readonly waived?: string }[],
    entry: (id: string, reason: string) => KnownFailure,
  ) => marked.flatMap(({ id, waived }) => (waived === undefined ? [] : [entry(id, waived)]));
  return [
    ...entries(causesIn(report), knownCause),
    ...entries([...report.checks, ...report.rules], (id, reason) => ({
      takes: ({ judge }) => judge.id === id,
      reason,
    })),
    ...entries(report.requirements, (id, reason) => ({
      takes: ({ failure }) => failure.requirement === id,
      reason,
    })),
  ];
}

/**
 * The entry by which a failure is known; undefined if it is not. A baseline must have all of its causes: a new cause is
 * not known because another one is.
 */
function knownBy(found: FailureFound, known: readonly KnownFailure[]): KnownFailure | undefined {
  const takers = known.filter(({ takes }) => takes(found));
  const declared = takers.find(({ reason }) => reason !== undefined);
  const isWhole = found.causes.every((id) => takers.some(({ cause }) => cause === id));
  return declared ?? (isWhole ? takers[0] : undefined);
}

/** Mark of an item of a report whose failures are all known. */
type Mark = { readonly waived: string } | { readonly known: true };

function markOf(entries: readonly (KnownFailure | undefined)[]): Mark | undefined {
  if (entries.length === 0 || entries.includes(undefined)) return undefined;
  const reasons = new Set(entries.map((one) => one?.reason));
  return reasons.has(undefined) ? { known: true } : { waived: [...reasons].join('; ') };
}

/** Marks what is known in a report. Verdicts and counts stay as they are. */
export function markKnown(report: RunReport, list: readonly KnownFailure[]): RunReport {
  const known = [...list, ...marksIn(report)];
  const all = failuresIn(report).map((found) => ({ ...found, entry: knownBy(found, known) }));
  const entriesOf = (isOf: (found: FailureFound) => boolean) =>
    all.filter(isOf).map(({ entry }) => entry);
  const judged = (each: CheckReport): CheckReport => {
    const mark = each.verdict === 'fail' && markOf(entriesOf(({ judge }) => judge.id === each.id));
    return mark && 'waived' in mark ? { ...each, ...mark } : each;
  };
  const causes = causesIn(report).map((each): CauseReport => {
    if (each.outcome !== 'fail') return each;
    const named = known.find(({ cause }) => cause === each.id);
    const entries = named ? [named] : entriesOf((found) => found.causes.includes(each.id));
    return { ...each, ...markOf(entries) };
  });
  const requirements = report.requirements.map((each) => {
    if (each.verdict !== 'fail') return each;
    return { ...each, ...markOf(entriesOf(({ failure }) => failure.requirement === each.id)) };
  });
  return {
    ...report,
    requirements,
    checks: report.checks.map(judged),
    rules: report.rules.map(judged),
    ...(causes.length > 0 && { causes }),
  };
}

/** Reason why an item that fails does not count, as it is shown. Undefined if it counts. */
export const excuseOf = ({
  waived,
  known,
}: {
  readonly waived?: string;
  readonly known?: true;
}): string | undefined =>
  waived === undefined ? known && 'known: the baseline has it as well' : `waived: ${waived}`;
