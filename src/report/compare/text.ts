import { codeSpan, escapeMarkdown, printableValue } from '../formats/escape.ts';
import { createPaint, wrapped } from '../formats/text-layout.ts';
import { count, partName, verdictLabels } from '../labels.ts';
import type { Verdict } from '../../results/verdicts.ts';
import type { Comparison } from './compare.ts';

const verdictText = (verdict: Verdict | undefined): string =>
  verdict === undefined ? 'not known' : verdictLabels[verdict];

const gapsHead = ({ gaps, alike }: Comparison): string =>
  `${count(gaps.length, 'open question')} answered differently, ${alike} alike`;

/** Text for a terminal: each difference with its effect on clients. */
export function comparisonText(
  given: Comparison,
  { colour }: { readonly colour: 'colour' | 'plain' },
): string {
  const paint = createPaint(colour);
  const found = printableValue(given);
  const [a, b] = [`A = ${found.a}`, `B = ${found.b}`];
  const gapBlocks = found.gaps.map((gap) =>
    [
      `${paint.bold(gap.id)}  ${paint.dim(`${partName(gap.part)}: ${gap.question}`)}`,
      `    A answers  ${gap.a}`,
      `    B answers  ${gap.b}`,
      `    at B, a client written against A ${gap.client_of_a}`,
      `    at A, a client written against B ${gap.client_of_b}`,
    ].join('\n'),
  );
  const broken = found.requirements.map(
    (one) =>
      `    ${one.id}  ${paint.dim(partName(one.part))}  A: ${verdictText(one.a)}, B: ${verdictText(one.b)}`,
  );
  const unknown = found.unknown.map(
    ({ id, a: one }) => `${id} (${one === undefined ? 'B' : 'A'} only)`,
  );
  return [
    [a, b].join('\n'),
    paint.bold(gapsHead(found)),
    ...gapBlocks,
    ...(unknown.length > 0
      ? [`${paint.bold(`Known of one of them only: ${unknown.length}`)}\n${wrapped(unknown, 96)}`]
      : []),
    [
      paint.bold(
        broken.length === 0
          ? 'No requirement fails at one of them alone'
          : `${count(broken.length, 'requirement')} broken at one of them alone`,
      ),
      ...broken,
    ].join('\n'),
  ].join('\n\n');
}

const row = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;

/** Text of a Markdown cell. Bars are escaped: in a table they end the cell, even within code. */
const inCell = (text: string): string => codeSpan(text).replaceAll('|', '\\|');

/** A sentence of ours with answers of a target in it: all of it is escaped. */
const sentence = (text: string): string => escapeMarkdown(text.replaceAll('`', '"'));

/** The comparison as Markdown tables, for a wiki or a pull request. */
export function comparisonMarkdown(found: Comparison): string {
  const [a, b] = [escapeMarkdown(found.a), escapeMarkdown(found.b)];
  const gapRows = found.gaps.map((gap) =>
    row([
      `${inCell(gap.id)} (${partName(gap.part)})`,
      inCell(gap.a),
      inCell(gap.b),
      sentence(gap.client_of_a),
      sentence(gap.client_of_b),
    ]),
  );
  const broken = found.requirements.map((one) =>
    row([
      `${inCell(one.id)} (${partName(one.part)})`,
      sentence(one.summary),
      verdictText(one.a),
      verdictText(one.b),
    ]),
  );
  const unknown = found.unknown.map(({ id, a: one, b: other }) =>
    row([
      inCell(id),
      one === undefined ? 'not known' : inCell(one),
      other === undefined ? 'not known' : inCell(other),
    ]),
  );
  const section = (title: string, head: readonly string[], rows: readonly string[]): string[] =>
    rows.length === 0
      ? []
      : ['', `## ${title}`, '', row(head), row(head.map(() => '---')), ...rows];
  return `${[
    `# ${a} and ${b}`,
    '',
    `${gapsHead(found)}.`,
    ...section(
      'What the document leaves open',
      [
        'Gap',
        `A: ${a}`,
        `B: ${b}`,
        'At B, a client written against A',
        'At A, a client written against B',
      ],
      gapRows,
    ),
    ...section('Known of one of them only', ['Gap', 'A', 'B'], unknown),
    ...section('Broken at one of them alone', ['Requirement', 'What must hold', 'A', 'B'], broken),
  ].join('\n')}\n`;
}
