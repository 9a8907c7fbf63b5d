import { type GapId, gapIds, gaps } from '../../spec/gaps/index.ts';
import type { RunReport } from '../../results/run-report.ts';
import type { Verdict } from '../../results/verdicts.ts';
import { codeSpan, escapeMarkdown, markdownTable, printableValue } from '../formats/escape.ts';
import { createPaint, wrapped } from '../formats/text-layout.ts';
import { count, partName, verdictLabels } from '../labels.ts';

/** Known facts about one target, from a run, or about our reference without a run. */
export type ComparedTarget = Pick<RunReport, 'gaps' | 'requirements'> & { readonly name: string };

/** Both answers to a gap, with their effect on clients. */
interface GapDifference {
  readonly id: GapId;
  readonly part: string;
  readonly question: string;
  readonly a: string;
  readonly b: string;
  /** Effect on a client that was written for A and is used with B, and the other way round. One sentence each. */
  readonly client_of_a: string;
  readonly client_of_b: string;
}

interface RequirementDifference {
  readonly id: string;
  readonly part: string;
  readonly summary: string;
  /** Absent: not known for that target. */
  readonly a?: Verdict;
  readonly b?: Verdict;
}

export const comparisonFormat = 'assay.comparison/1';

export interface Comparison {
  readonly format: typeof comparisonFormat;
  readonly a: string;
  readonly b: string;
  /** Gaps with two known, different answers, in the order of the register. */
  readonly gaps: readonly GapDifference[];
  /** Number of gaps with the same answer from both. */
  readonly alike: number;
  /** Gaps with a known answer of only one target. */
  readonly unknown: readonly { readonly id: GapId; readonly a?: string; readonly b?: string }[];
  /** Requirements that fail or give a warning at only one of the targets. */
  readonly requirements: readonly RequirementDifference[];
}

const longest = 200;
/** An answer may be any text that the target sent: cut to a readable length. */
const brief = (text: string): string =>
  text.length > longest ? `${text.slice(0, longest)}…` : text;

const answersOf = ({ gaps: known }: ComparedTarget): ReadonlyMap<string, string> =>
  new Map(
    known.flatMap(({ id, declared, observed }) => {
      // An observed answer is more reliable than a declared one.
      const answer = observed ?? declared;
      return answer === undefined ? [] : [[id, brief(answer)]];
    }),
  );

const riskOf = (id: GapId, own: string, other: string): string =>
  gaps[id].risk.replace(/\{(own|other)\}/g, (_, which) => (which === 'own' ? own : other));

const isBroken = (verdict: Verdict | undefined): boolean =>
  verdict === 'fail' || verdict === 'warn';

/** Differences between two targets that matter to the author of a client for both. */
export function compareTargets(a: ComparedTarget, b: ComparedTarget): Comparison {
  const [ofA, ofB] = [answersOf(a), answersOf(b)];
  const pairs = gapIds.map((id) => ({ id, a: ofA.get(id), b: ofB.get(id) }));
  const verdictsOfB = new Map(b.requirements.map((one) => [one.id, one]));
  const known = new Map([...b.requirements, ...a.requirements].map((one) => [one.id, one]));
  const verdictsOfA = new Map(a.requirements.map((one) => [one.id, one]));
  return {
    format: comparisonFormat,
    a: a.name,
    b: b.name,
    gaps: pairs.flatMap(({ id, a: one, b: other }) => {
      if (one === undefined || other === undefined || one === other) return [];
      const clients = { client_of_a: riskOf(id, one, other), client_of_b: riskOf(id, other, one) };
      return [
        { id, part: gaps[id].part, question: gaps[id].question, a: one, b: other, ...clients },
      ];
    }),
    alike: pairs.filter((pair) => pair.a !== undefined && pair.a === pair.b).length,
    unknown: pairs.flatMap(({ id, a: one, b: other }) =>
      (one === undefined) === (other === undefined)
        ? []
        : [{ id, ...(one !== undefined && { a: one }), ...(other !== undefined && { b: other }) }],
    ),
    requirements: [...known.values()].flatMap(({ id, part, summary }) => {
      const [one, other] = [verdictsOfA.get(id)?.verdict, verdictsOfB.get(id)?.verdict];
      if (one === other || !(isBroken(one) || isBroken(other))) return [];
      return [{ id, part, summary, ...(one && { a: one }), ...(other && { b: other }) }];
    }),
  };
}

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

/** Text of a Markdown cell. Bars are escaped: in a table they end the cell, even within code. */
const inCell = (text: string | undefined): string =>
  text === undefined ? 'not known' : codeSpan(text).replaceAll('|', '\\|');

/** A sentence of ours with answers of a target in it: all of it is escaped. */
const sentence = (text: string): string => escapeMarkdown(text.replaceAll('`', '"'));

/** The comparison as Markdown tables, for a wiki or a pull request. */
export function comparisonMarkdown(found: Comparison): string {
  const [a, b] = [escapeMarkdown(found.a), escapeMarkdown(found.b)];
  const headOf = ({ id, part }: { readonly id: string; readonly part: string }): string =>
    `${inCell(id)} (${partName(part)})`;
  return `${[
    `# ${a} and ${b}`,
    '',
    `${gapsHead(found)}.`,
    ...markdownTable(
      'What the document leaves open',
      [
        'Gap',
        `A: ${a}`,
        `B: ${b}`,
        'At B, a client written against A',
        'At A, a client written against B',
      ],
      found.gaps.map((gap) => [
        headOf(gap),
        inCell(gap.a),
        inCell(gap.b),
        sentence(gap.client_of_a),
        sentence(gap.client_of_b),
      ]),
    ),
    ...markdownTable(
      'Known of one of them only',
      ['Gap', 'A', 'B'],
      found.unknown.map((one) => [one.id, one.a, one.b].map(inCell)),
    ),
    ...markdownTable(
      'Broken at one of them alone',
      ['Requirement', 'What must hold', 'A', 'B'],
      found.requirements.map((one) => [
        headOf(one),
        sentence(one.summary),
        verdictText(one.a),
        verdictText(one.b),
      ]),
    ),
  ].join('\n')}\n`;
}
