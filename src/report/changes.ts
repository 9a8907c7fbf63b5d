import type { BaselineCause, BaselineReport, GapReport, RunReport } from '../results/run-report.ts';
import { count, verdictLabels } from './labels.ts';
import { loggable, printable } from './formats/escape.ts';
import { type Verdict, verdicts } from '../results/verdicts.ts';
import { failingCauses } from './causes.ts';

interface WithVerdict {
  readonly id: string;
  readonly verdict: Verdict;
}

const kinds = ['worse', 'added', 'removed', 'better'] as const;
type ChangeKind = (typeof kinds)[number];

function kindOf(before: Verdict | undefined, after: Verdict | undefined): ChangeKind {
  if (before === undefined) return 'added';
  if (after === undefined) return 'removed';
  return verdicts.indexOf(after) > verdicts.indexOf(before) ? 'worse' : 'better';
}

/** Lines on different verdicts only: in the order of the later report, then items that it no longer has. */
function changeLines(
  title: string,
  before: readonly WithVerdict[],
  after: readonly WithVerdict[],
): string[] {
  const verdictsOf = (some: readonly WithVerdict[]) =>
    new Map(some.map(({ id, verdict }) => [id, verdict]));
  const [old, now] = [verdictsOf(before), verdictsOf(after)];
  const changes = [...new Set([...now.keys(), ...old.keys()])]
    .filter((id) => old.get(id) !== now.get(id))
    .map((id) => ({ id, before: old.get(id), after: now.get(id) }));
  const label = (verdict: Verdict | undefined): string =>
    verdict === undefined ? 'absent' : verdictLabels[verdict];
  return kinds.flatMap((kind) => {
    const some = changes.filter((change) => kindOf(change.before, change.after) === kind);
    if (some.length === 0) return [];
    const lines = some.map((one) => `  ${one.id}: ${label(one.before)} -> ${label(one.after)}`);
    return [`${title}, ${kind}: ${some.length}`, ...lines];
  });
}

const answerOf = (gap: GapReport | undefined): string | undefined => gap?.observed ?? gap?.declared;

/** Gaps with another answer in the later report. */
export function changedGaps(
  before: readonly GapReport[],
  after: readonly GapReport[],
): BaselineReport['gaps'] {
  const old = new Map(before.map((gap) => [gap.id, answerOf(gap)]));
  return after.flatMap((gap) => {
    const [was, is] = [old.get(gap.id), answerOf(gap)];
    if (was === is) return [];
    return [
      {
        id: gap.id,
        ...(was !== undefined && { before: was }),
        ...(is !== undefined && { after: is }),
      },
    ];
  });
}

/** "page -> page_no". */
const changedAnswer = ({ before, after }: BaselineReport['gaps'][number]): string =>
  `${before ?? 'not known'} -> ${after ?? 'not known'}`;

/** Failing causes that only one of two reports has. */
function causeLines(before: RunReport, after: RunReport): string[] {
  const [old, now] = [failingCauses(before), failingCauses(after)];
  const onlyIn = (some: typeof old, others: typeof old) =>
    some.filter(({ id }) => !others.some((other) => other.id === id));
  const lines = (kind: string, some: typeof old): string[] =>
    some.length === 0
      ? []
      : [`causes, ${kind}: ${some.length}`, ...some.map(({ id, title }) => `  ${id}: ${title}`)];
  return [...lines('added', onlyIn(now, old)), ...lines('removed', onlyIn(old, now))];
}

/** Differences between two runs, for a terminal or a job's log. One line if there are none. */
export function diffText(before: RunReport, after: RunReport): string {
  const gaps = changedGaps(before.gaps, after.gaps);
  const lines = [
    ...(before.outcome === after.outcome ? [] : [`outcome: ${before.outcome} -> ${after.outcome}`]),
    ...causeLines(before, after),
    ...changeLines('requirements', before.requirements, after.requirements),
    ...changeLines('checks', before.checks, after.checks),
    ...changeLines('rules', before.rules, after.rules),
    ...(gaps.length === 0 ? [] : [`${count(gaps.length, 'gap answer')} changed`]),
    ...gaps.map((gap) => `  ${gap.id}: ${changedAnswer(gap)}`),
  ];
  const isSameSuite = before.suite.digest === after.suite.digest;
  const suite = isSameSuite ? [] : ['the suites differ: verdicts may for that alone'];
  return loggable(
    printable(`${[...suite, ...(lines.length > 0 ? lines : ['no verdict differs'])].join('\n')}\n`),
  );
}

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
