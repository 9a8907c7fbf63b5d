import { type Verdict, verdicts } from '../results/verdicts.ts';
import type { GapReport, RunReport } from '../results/run-report.ts';
import { count, verdictLabels } from './labels.ts';

export interface Change {
  readonly id: string;
  /** Absent: not in that report. */
  readonly before?: Verdict;
  readonly after?: Verdict;
  readonly kind: 'worse' | 'better' | 'added' | 'removed';
}

export interface GapChange {
  readonly id: string;
  readonly before: string | undefined;
  readonly after: string | undefined;
}

export interface ReportDiff {
  readonly outcome: { readonly before: RunReport['outcome']; readonly after: RunReport['outcome'] };
  /** Whether catalogue, checks and rules were the same: else verdicts may differ for that alone. */
  readonly suite: 'same' | 'changed';
  /** Only what differs; in the order of the later report, then what it no longer has. */
  readonly requirements: readonly Change[];
  readonly checks: readonly Change[];
  readonly rules: readonly Change[];
  readonly gaps: readonly GapChange[];
}

interface WithVerdict {
  readonly id: string;
  readonly verdict: Verdict;
}

function changesOf(before: readonly WithVerdict[], after: readonly WithVerdict[]): Change[] {
  const old = new Map(before.map(({ id, verdict }) => [id, verdict]));
  const now = new Set(after.map(({ id }) => id));
  const rank = (verdict: Verdict): number => verdicts.indexOf(verdict);
  return [
    ...after.flatMap(({ id, verdict }): Change[] => {
      const was = old.get(id);
      if (was === undefined) return [{ id, after: verdict, kind: 'added' }];
      if (was === verdict) return [];
      const kind = rank(verdict) > rank(was) ? 'worse' : 'better';
      return [{ id, before: was, after: verdict, kind }];
    }),
    ...before
      .filter(({ id }) => !now.has(id))
      .map(({ id, verdict }): Change => ({ id, before: verdict, kind: 'removed' })),
  ];
}

const answerOf = (gap: GapReport | undefined): string | undefined => gap?.observed ?? gap?.declared;

function gapChanges(before: readonly GapReport[], after: readonly GapReport[]): GapChange[] {
  const old = new Map(before.map((gap) => [gap.id, gap]));
  return after.flatMap((gap) => {
    const change = { id: gap.id, before: answerOf(old.get(gap.id)), after: answerOf(gap) };
    return change.before === change.after ? [] : [change];
  });
}

/** What differs between two runs. */
export const diffReports = (before: RunReport, after: RunReport): ReportDiff => ({
  outcome: { before: before.outcome, after: after.outcome },
  suite: before.suite.digest === after.suite.digest ? 'same' : 'changed',
  requirements: changesOf(before.requirements, after.requirements),
  checks: changesOf(before.checks, after.checks),
  rules: changesOf(before.rules, after.rules),
  gaps: gapChanges(before.gaps, after.gaps),
});

const words = (verdict: Verdict | undefined): string =>
  verdict === undefined ? 'absent' : verdictLabels[verdict];

const kinds = ['worse', 'added', 'removed', 'better'] as const;

function changeLines(title: string, changes: readonly Change[]): string[] {
  return kinds.flatMap((kind) => {
    const some = changes.filter((change) => change.kind === kind);
    if (some.length === 0) return [];
    const lines = some.map(
      ({ id, before, after }) => `  ${id}: ${words(before)} -> ${words(after)}`,
    );
    return [`${title}, ${kind}: ${some.length}`, ...lines];
  });
}

/** A diff for a terminal or a job's log; one line when nothing differs. */
export function diffText(diff: ReportDiff): string {
  const { outcome } = diff;
  const lines = [
    ...(outcome.before === outcome.after ? [] : [`outcome: ${outcome.before} -> ${outcome.after}`]),
    ...changeLines('requirements', diff.requirements),
    ...changeLines('checks', diff.checks),
    ...changeLines('rules', diff.rules),
    ...(diff.gaps.length === 0 ? [] : [`${count(diff.gaps.length, 'gap answer')} changed`]),
    ...diff.gaps.map(
      ({ id, before, after }) => `  ${id}: ${before ?? 'not known'} -> ${after ?? 'not known'}`,
    ),
  ];
  const suite = diff.suite === 'changed' ? ['the suites differ: verdicts may for that alone'] : [];
  return `${[...suite, ...(lines.length > 0 ? lines : ['no verdict differs'])].join('\n')}\n`;
}
