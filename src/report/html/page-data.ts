import type { CauseReport, RunReport } from '../../results/run-report.ts';
import type { RunOutcome, Verdict } from '../../results/verdicts.ts';
import { referenceAnswers } from '../../spec/gaps/index.ts';
import { unlocks } from '../../spec/unlocks.ts';
import { causesIn } from '../cause-failures.ts';
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

/** Another run of the same target, as far as a requirement's history needs it. */
export interface EarlierRun {
  /** As it was named. */
  readonly file: string;
  readonly outcome: RunOutcome;
  readonly seed: string;
  readonly finished_at: string;
  readonly verdicts: Readonly<Record<string, Verdict>>;
  readonly causes: readonly string[];
}

/** All that the page shows besides exchanges; what takes the catalogue or the register to work out is worked out here. */
export interface PageData {
  readonly report: RunReport & { readonly causes: readonly CauseReport[] };
  readonly sentence: string;
  readonly parts: readonly PartRow[];
  readonly coverage: readonly (readonly [title: string, lines: readonly string[]])[];
  /** Why requirements stay open, by verdict: a reason, and of how many. */
  readonly open: readonly {
    readonly verdict: Verdict;
    readonly reasons: readonly (readonly [reason: string, counts: string])[];
  }[];
  /** Ids of checks and rules that broke, which is a fault of the suite. */
  readonly broken: readonly string[];
  /** Ids of checks that failed without a requirement that fails; scenarios are shown by themselves. */
  readonly unattributed: readonly string[];
  /** By the id of a gap. */
  readonly gaps: Readonly<
    Record<string, { readonly reference: string; readonly unlocks: readonly string[] }>
  >;
  readonly changes?: { readonly news: string; readonly groups: readonly ChangeGroup[] };
  readonly unwaived: ChangeGroup['lines'];
  /** In the order of time, this run last. Empty: it is shown alone. */
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

/** A report with the name of its file. */
export interface NamedReport {
  readonly file: string;
  readonly report: RunReport;
}

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

/** What the reference answers, and what stays unjudged while an answer is not known. */
const gapsOf = ({ gaps }: RunReport): PageData['gaps'] => {
  const answers: Readonly<Record<string, string>> = referenceAnswers;
  const locked: Readonly<Record<string, readonly string[] | undefined>> = unlocks;
  return Object.fromEntries(
    gaps.map(({ id }) => [id, { reference: answers[id] ?? '', unlocks: locked[id] ?? [] }]),
  );
};
