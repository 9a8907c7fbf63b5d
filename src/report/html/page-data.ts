import type { CauseReport, RunReport } from '../../results/run-report.ts';
import type { NamedReport } from '../baseline.ts';
import type { RunOutcome, Verdict } from '../../results/verdicts.ts';
import { referenceAnswers } from '../../spec/gaps/index.ts';
import { unlocks } from '../../spec/unlocks.ts';
import { causesIn } from '../causes.ts';
import { type ChangeGroup, changeGroups, newsSentence, unwaivedLines } from '../changes.ts';
import { coverageSections } from '../coverage-text.ts';
import {
  brokenChecks,
  countsByPart,
  openVerdicts,
  outcomeSentence,
  type PartRow,
  reasonCounts,
  reasonsFor,
  unattributedFailures,
} from '../summary.ts';

/** Another run of the same target, with the fields that a requirement's history needs. */
export interface EarlierRun {
  /** File name, as given. */
  readonly file: string;
  readonly outcome: RunOutcome;
  readonly seed: string;
  readonly finished_at: string;
  readonly verdicts: Readonly<Record<string, Verdict>>;
  readonly causes: readonly string[];
}

/** All data of the page besides exchanges. Data that needs the catalogue or the gap register is computed here. */
export interface PageData {
  readonly report: RunReport & { readonly causes: readonly CauseReport[] };
  readonly sentence: string;
  readonly parts: readonly PartRow[];
  readonly coverage: readonly (readonly [title: string, lines: readonly string[]])[];
  /** Reasons why requirements are open, by verdict, with counts. */
  readonly open: readonly {
    readonly verdict: Verdict;
    readonly reasons: readonly (readonly [reason: string, counts: string])[];
  }[];
  /** Ids of checks and rules with an error, which is a fault of the suite. */
  readonly broken: readonly string[];
  /** Ids of checks that failed without a failing requirement. Scenarios are shown separately. */
  readonly unattributed: readonly string[];
  /** By the id of a gap. */
  readonly gaps: Readonly<
    Record<string, { readonly reference: string; readonly unlocks: readonly string[] }>
  >;
  readonly changes?: { readonly news: string; readonly groups: readonly ChangeGroup[] };
  readonly unwaived: ChangeGroup['lines'];
  /** Runs in the order of time, this run last. Empty: it is shown alone. */
  readonly runs: readonly EarlierRun[];
}

const runOf = (file: string, report: RunReport): EarlierRun => ({
  file,
  outcome: report.outcome,
  seed: report.run.seed,
  finished_at: report.run.finished_at,
  verdicts: Object.fromEntries(report.requirements.map(({ id, verdict }) => [id, verdict])),
  causes: causesIn(report).map(({ id }) => id),
});

export function pageDataOf(
  report: RunReport,
  earlier: readonly NamedReport[] = [],
  file = 'this run',
): PageData {
  const scenarios = new Set((report.scenarios ?? []).map(({ id }) => id));
  return {
    report: { ...report, causes: causesIn(report) },
    sentence: outcomeSentence(report),
    parts: countsByPart(report),
    coverage: coverageSections(report),
    open: openVerdicts.flatMap((verdict) => {
      const reasons = reasonsFor(report, verdict).map(
        (one) => [one.reason, reasonCounts(one)] as const,
      );
      return reasons.length > 0 ? [{ verdict, reasons }] : [];
    }),
    broken: brokenChecks(report).map(({ id }) => id),
    unattributed: unattributedFailures(report)
      .map(({ id }) => id)
      .filter((id) => !scenarios.has(id)),
    gaps: gapsOf(report),
    ...(report.baseline && {
      changes: { news: newsSentence(report.baseline), groups: changeGroups(report.baseline) },
    }),
    unwaived: unwaivedLines(report),
    runs:
      earlier.length === 0
        ? []
        : [
            ...earlier
              .map((one) => runOf(one.file, one.report))
              .toSorted((one, other) => (one.finished_at < other.finished_at ? -1 : 1)),
            runOf(file, report),
          ],
  };
}

/** Answers of the reference, and requirements that cannot be judged while an answer is not known. */
const gapsOf = ({ gaps }: RunReport): PageData['gaps'] => {
  const answers: Readonly<Record<string, string>> = referenceAnswers;
  const locked: Readonly<Record<string, readonly string[] | undefined>> = unlocks;
  return Object.fromEntries(
    gaps.map(({ id }) => [id, { reference: answers[id] ?? '', unlocks: locked[id] ?? [] }]),
  );
};
