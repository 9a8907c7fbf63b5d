import type { BaselineCause, BaselineReport, RunReport } from '../results/run-report.ts';
import { changedAnswer } from './diff.ts';
import { count, verdictLabels } from './labels.ts';

/** One group of changed or unchanged items: a heading, and one line per item. */
export interface ChangeGroup {
  readonly title: string;
  readonly lines: readonly (readonly [id: string, what: string])[];
}

const causeLine = ({ id, title, requirements }: BaselineCause) =>
  [id, `${title} (${count(requirements.length, 'requirement')})`] as const;

/** Changes since the baseline, for a reader. Empty groups are left out. */
export function changeGroups(baseline: BaselineReport): readonly ChangeGroup[] {
  const { regressed, unjudged, gaps } = baseline;
  const groups: readonly ChangeGroup[] = [
    { title: 'new', lines: baseline.new.map(causeLine) },
    { title: 'known, but breaks more', lines: baseline.wider.map(causeLine) },
    { title: 'fixed', lines: baseline.fixed.map(causeLine) },
    { title: 'known, and still there', lines: baseline.known.map(causeLine) },
    {
      title: 'regressed',
      lines: regressed.map(({ id, before, after }) => [
        id,
        `${verdictLabels[before]} -> ${verdictLabels[after]}`,
      ]),
    },
    { title: 'no longer judged', lines: unjudged.map((id) => [id, '']) },
    {
      title: 'other gap answers',
      lines: gaps.map((gap) => [gap.id, changedAnswer(gap)]),
    },
  ];
  return groups.filter(({ lines }) => lines.length > 0);
}

/** "nothing is new", "2 causes are new", "1 known cause breaks more". */
export function newsSentence({ new: fresh, wider }: BaselineReport): string {
  const news = [
    ...(fresh.length > 0 ? [`${count(fresh.length, 'cause is', 'causes are')} new`] : []),
    ...(wider.length > 0
      ? [`${count(wider.length, 'known cause breaks', 'known causes break')} more`]
      : []),
  ];
  return `${news.join(', ') || 'nothing is new'} since the baseline`;
}

/** Failures that no waiver covers, each with its cause, requirement or judge, and the reason. */
export const unwaivedLines = ({ unwaived = [] }: RunReport): ChangeGroup['lines'] =>
  unwaived.map(({ id, requirement, causes, message, reason }) => [
    causes[0] ?? requirement ?? id,
    `${message} (${id}); ${reason}`,
  ]);
