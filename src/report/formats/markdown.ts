import { correlationText } from '../../history/correlation.ts';
import type { RunReport } from '../../results/run-report.ts';
import { coverageSections, triedLines } from '../coverage-text.ts';
import { playSections } from '../play/markdown.ts';
import { codeSpan, escapeMarkdown, markdownRow as row } from './escape.ts';
import {
  brokenChecks,
  countsByPart,
  nonZero,
  outcomeSentence,
  reasonsFor,
  occurringVerdicts,
  unattributedFailures,
} from '../summary.ts';
import { causesIn, excuseOf } from '../cause-failures.ts';
import { failuresOf, type SourcedFailure } from '../failures-of-cause.ts';
import { type ChangeGroup, changeGroups, newsSentence, unwaivedLines } from '../changes.ts';
import { brief, count, partName, partHeading, valuesOf, verdictLabels } from '../labels.ts';

function partTable(report: RunReport): string[] {
  const columns = occurringVerdicts(report);
  return [
    row(['Part', ...columns.map((verdict) => verdictLabels[verdict])]),
    row(['---', ...columns.map(() => '---:')]),
    ...countsByPart(report).map(({ part, counts }) => {
      return row([partHeading(part), ...columns.map((verdict) => `${counts[verdict] || ''}`)]);
    }),
  ];
}

/** Maximum number of findings per cause: a summary is read in a pull request. */
const most = 3;

function findingLine({ source, failure }: SourcedFailure): string {
  const values = [
    ...valuesOf(failure, 120).map(([name, value]) => `${name} ${codeSpan(value)}`),
    ...(failure.exchanges.length === 0 ? [] : [failure.exchanges.map(codeSpan).join(', ')]),
    ...(failure.correlation ?? []).map((one) => codeSpan(correlationText(one))),
  ];
  return `- ${[`${escapeMarkdown(failure.message)} (${codeSpan(source.id)})`, ...values].join('; ')}`;
}

/** Probable causes: a heading for each, and the requirements that show it. */
function causeLines(report: RunReport): string[] {
  const requirements = new Map(report.requirements.map((each) => [each.id, each]));
  return causesIn(report).flatMap((cause) => {
    const excuse = excuseOf(cause);
    const label = `${verdictLabels[cause.outcome]}${excuse === undefined ? '' : `, ${cause.waived === undefined ? 'known' : 'waived'}`}`;
    const failures = failuresOf(report, cause);
    const more = failures.length - most;
    const named = cause.requirements.map((id) => {
      const part = requirements.get(id)?.part;
      return `${codeSpan(id)}${part === undefined ? '' : ` (${partName(part)})`}`;
    });
    return [
      `### ${label}: ${escapeMarkdown(cause.title)}`,
      '',
      `Cause ${codeSpan(cause.id)}, ${escapeMarkdown(cause.deviation)}. Requirements: ${named.join(', ')}.`,
      '',
      ...(excuse === undefined ? [] : [escapeMarkdown(excuse), '']),
      ...failures.slice(0, most).map(findingLine),
      ...(more > 0 ? [`- and ${count(more, 'more finding')}`] : []),
      '',
    ];
  });
}

/** Checks and rules that failed without a failing requirement, such as a scenario that verifies none. */
const unattributedLines = (report: RunReport): string[] =>
  unattributedFailures(report).map(
    ({ id, reason }) => `- ${codeSpan(id)}: ${escapeMarkdown(brief(reason ?? 'it failed', 200))}`,
  );

const changeLines = (groups: readonly ChangeGroup[]): string[] =>
  groups.flatMap(({ title, lines }) => [
    `- ${title}:`,
    ...lines.map(([id, what]) => `  - ${codeSpan(id)}${what && `: ${escapeMarkdown(what)}`}`),
  ]);

function baselineLines({ baseline }: RunReport): string[] {
  if (!baseline) return [];
  const head = `Compared with ${codeSpan(baseline.file)}, of ${escapeMarkdown(baseline.finished_at)}: ${newsSentence(baseline)}.`;
  const { notes = [] } = baseline;
  return [
    head,
    '',
    ...notes.map((note) => `- note: ${escapeMarkdown(note)}`),
    ...changeLines(changeGroups(baseline)),
  ];
}
/** A line of our own text. Text between backticks is code. */
const withCode = (line: string): string =>
  `- ${line
    .split('`')
    .map((piece, place) => (place % 2 === 1 ? codeSpan(piece) : escapeMarkdown(piece)))
    .join('')}`;

type Section = readonly [title: string, lines: readonly string[]];

const causeSections = (report: RunReport): readonly Section[] => [
  ['Causes', causeLines(report)],
  ['Failures of no requirement', unattributedLines(report)],
];

/** Sections on the coverage of a run, and on the reasons for checks and requirements that were not judged. */
function coverageAndReasons(report: RunReport): readonly Section[] {
  const reasons = (['not_exercised', 'out_of_scope'] as const).flatMap((verdict) =>
    reasonsFor(report, verdict).map(
      ({ reason, checks, requirements }) =>
        `- ${verdictLabels[verdict]}: ${escapeMarkdown(brief(reason, 160))} ` +
        `(${count(checks, 'check')}, ${count(requirements, 'requirement')})`,
    ),
  );
  return [
    ...coverageSections(report).map(([title, lines]) => [title, lines.map(withCode)] as const),
    ['Left open', reasons],
  ];
}

/** A summary for a pull request or a job's page. */
export function toMarkdown(report: RunReport): string {
  const { target, run, play, scenarios = [] } = report;
  const totals = nonZero(report.totals.requirements).map(
    ([verdict, n]) => `${n} ${verdictLabels[verdict]}`,
  );
  const faults = brokenChecks(report).map(
    ({ id, reason }) => `- ${codeSpan(id)}: ${escapeMarkdown(brief(reason ?? '', 200))}`,
  );
  const listed = (texts: readonly string[] = []): string[] =>
    texts.map((text) => `- ${escapeMarkdown(text)}`);
  const waivers = (report.waivers ?? []).map(
    ({ id, status, reason, problem }) =>
      `- ${codeSpan(id)} ${status}: ${escapeMarkdown(problem ?? reason)}`,
  );
  const unwaived = unwaivedLines(report).map(
    ([id, what]) => `- ${codeSpan(id)}: ${escapeMarkdown(what)}`,
  );
  const sections = [
    ['Tried', triedLines(report).map((text) => `- ${text}`)],
    ['Preflight', listed(report.preflight)],
    ['Notes', listed(report.notes)],
    ['Our own faults', faults],
    ['Baseline', baselineLines(report)],
    ...(play ? playSections(report, scenarios) : causeSections(report)),
    ['Waivers', waivers],
    ['Not waived', unwaived],
    ...(play ? [] : coverageAndReasons(report)),
  ] as const;
  const judged = play ? '' : `Requirements: ${totals.join(', ') || 'none'}. `;
  return [
    `# Assay: ${play ? 'scenarios on ' : ''}${escapeMarkdown(target.name)}`,
    '',
    `**${escapeMarkdown(outcomeSentence(report))}**`,
    '',
    `${judged}Seed ${codeSpan(run.seed)}, ${target.clock.kind} clock.`,
    '',
    ...(play ? [] : partTable(report)),
    '',
    ...sections.flatMap(([title, lines]) =>
      lines.length === 0 ? [] : [`## ${title}`, '', ...lines, ''],
    ),
  ]
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/\n*$/, '\n');
}
