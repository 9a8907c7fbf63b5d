import type { RunReport } from '../../results/run-report.ts';
import { coverageSections } from '../coverage-text.ts';
import { codeSpan, escapeMarkdown } from './escape.ts';
import {
  brokenChecks,
  countsByPart,
  nonZero,
  outcomeSentence,
  reasonsFor,
  failuresByRequirement,
  occurringVerdicts,
} from '../summary.ts';
import { brief, count, partName, partHeading, valuesOf, verdictLabels } from '../labels.ts';

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

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

/** Findings shown of each requirement; a summary is read in a pull request. */
const most = 3;

function troubleLines(report: RunReport): string[] {
  return failuresByRequirement(report, 'fail', 'warn').flatMap(({ requirement, findings }) => {
    const { id, part, summary, verdict, waived } = requirement;
    const label = `${verdictLabels[verdict]}${waived === undefined ? '' : ', waived'}`;
    const shown = findings.slice(0, most).map(({ source, failure }) => {
      const values = [
        ...valuesOf(failure, 120).map(([name, value]) => `${name} ${codeSpan(value)}`),
        ...(failure.exchanges.length === 0 ? [] : [failure.exchanges.map(codeSpan).join(', ')]),
      ];
      const said = `${escapeMarkdown(failure.message)} (${codeSpan(source.id)})`;
      return `- ${[said, ...values].join('; ')}`;
    });
    const more = findings.length - most;
    return [
      `### ${codeSpan(id)}: ${label}`,
      '',
      `${escapeMarkdown(summary)} (${partName(part)})`,
      '',
      ...shown,
      ...(more > 0 ? [`- and ${count(more, 'more finding')}`] : []),
      '',
    ];
  });
}

/** A line of ours, in which what stands between backticks is code. */
const withCode = (line: string): string =>
  `- ${line
    .split('`')
    .map((piece, place) => (place % 2 === 1 ? codeSpan(piece) : escapeMarkdown(piece)))
    .join('')}`;

/** A summary for a pull request or a job's page. */
export function toMarkdown(report: RunReport): string {
  const { target, run } = report;
  const totals = nonZero(report.totals.requirements).map(
    ([verdict, n]) => `${n} ${verdictLabels[verdict]}`,
  );
  const reasons = (['not_exercised', 'out_of_scope'] as const).flatMap((verdict) =>
    reasonsFor(report, verdict).map(
      ({ reason, checks, requirements }) =>
        `- ${verdictLabels[verdict]}: ${escapeMarkdown(brief(reason, 160))} ` +
        `(${count(checks, 'check')}, ${count(requirements, 'requirement')})`,
    ),
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
  const section = (title: string, lines: readonly string[]): string[] =>
    lines.length === 0 ? [] : [`## ${title}`, '', ...lines, ''];
  return [
    `# Assay: ${escapeMarkdown(target.name)}`,
    '',
    `**${outcomeSentence(report)}**`,
    '',
    `Requirements: ${totals.join(', ') || 'none'}. Seed ${codeSpan(run.seed)}, ${target.clock.kind} clock.`,
    '',
    ...partTable(report),
    '',
    ...section('Preflight', listed(report.preflight)),
    ...section('Notes', listed(report.notes)),
    ...section('Our own faults', faults),
    ...section('Findings', troubleLines(report)),
    ...section('Waivers', waivers),
    ...coverageSections(report).flatMap(([title, lines]) => section(title, lines.map(withCode))),
    ...section('Left open', reasons),
  ]
    .join('\n')
    .replace(/\n{3,}/g, '\n\n')
    .replace(/\n*$/, '\n');
}
