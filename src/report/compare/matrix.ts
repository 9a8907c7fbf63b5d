import { countVerdicts } from '../assemble.ts';
import type { NamedReport } from '../baseline.ts';
import { gapIds, gaps, type GapId } from '../../spec/gaps/index.ts';
import type { RunReport } from '../../results/run-report.ts';
import { type Verdict } from '../../results/verdicts.ts';
import { countsByPart, nonZero } from '../summary.ts';
import { brief, count, outcomeLabels, partHeading, partName, verdictLabels } from '../labels.ts';
import {
  codeSpan,
  escapeHtml,
  escapeMarkdown,
  loggableJson,
  markdownTable,
} from '../formats/escape.ts';

/** One value per target, in the order of the targets. `null`: not known. */
type Row<T> = readonly (T | null)[];

export const matrixFormat = 'assay.matrix/1';

/** Several targets side by side. Every row has a value for each of `targets`. */
export interface Matrix {
  readonly format: typeof matrixFormat;
  readonly targets: readonly {
    readonly name: string;
    readonly file: string;
    readonly outcome: RunReport['outcome'];
    /** Identifies the suite: verdicts of different suites may differ for that reason alone. */
    readonly suite: string;
  }[];
  readonly parts: readonly {
    readonly part: string;
    readonly counts: Row<Readonly<Record<Verdict, number>>>;
  }[];
  /** Requirements with different verdicts among the targets. */
  readonly requirements: readonly {
    readonly id: string;
    readonly part: string;
    readonly summary: string;
    readonly verdicts: Row<Verdict>;
  }[];
  /** Gaps with a known answer of at least one target. */
  readonly gaps: readonly {
    readonly id: GapId;
    readonly part: string;
    readonly question: string;
    readonly answers: Row<string>;
    /** True if two targets have different answers. */
    readonly differs: boolean;
  }[];
}

/** Names of the targets. Equal names get the name of the file added. */
function namesOf(runs: readonly NamedReport[]): readonly string[] {
  const names = runs.map(({ report }) => report.target.name);
  return runs.map(({ file }, at) => {
    const name = names[at] ?? file;
    return names.filter((one) => one === name).length > 1 ? `${name} (${file})` : name;
  });
}

export function matrixOf(runs: readonly NamedReport[]): Matrix {
  const names = namesOf(runs);
  const reports = runs.map(({ report }) => report);
  const byPart = reports.map(
    (report) => new Map(countsByPart(report).map(({ part, counts }) => [part, counts])),
  );
  const byId = reports.map(({ requirements }) => new Map(requirements.map((one) => [one.id, one])));
  const answers = reports.map(
    (report) =>
      new Map(report.gaps.map(({ id, observed, declared }) => [id, observed ?? declared])),
  );
  const parts = [...new Set(byPart.flatMap((counts) => [...counts.keys()]))];
  const known = new Map(
    reports.flatMap(({ requirements }) => requirements.map((one) => [one.id, one])),
  );
  return {
    format: matrixFormat,
    targets: runs.map(({ file, report }, at) => ({
      name: names[at] ?? file,
      file,
      outcome: report.outcome,
      suite: report.suite.digest,
    })),
    parts: parts.map((part) => ({
      part,
      counts: byPart.map((one) => one.get(part) ?? countVerdicts([])),
    })),
    requirements: [...known.values()].flatMap(({ id, part, summary }) => {
      const row = byId.map((one) => one.get(id)?.verdict ?? null);
      return new Set(row).size > 1 ? [{ id, part, summary, verdicts: row }] : [];
    }),
    gaps: gapIds.flatMap((id) => {
      const row = answers.map((one) => {
        const answer = one.get(id);
        return answer === undefined ? null : brief(answer, 200);
      });
      const given = new Set(row.filter((answer) => answer !== null));
      if (given.size === 0) return [];
      const { part, question } = gaps[id];
      return [{ id, part, question, answers: row, differs: given.size > 1 }];
    }),
  };
}

/** One cell: its text, and the verdict that marks it. */
interface Cell {
  readonly text: string;
  readonly mark?: Verdict | 'differs';
  readonly isCode?: boolean;
}

interface Table {
  readonly title: string;
  readonly of: string;
  readonly rows: readonly {
    readonly head: Cell;
    readonly note: string;
    readonly cells: readonly Cell[];
  }[];
}

const unknown: Cell = { text: 'not known' };

const ofVerdict = (verdict: Verdict | null): Cell =>
  verdict === null ? unknown : { text: verdictLabels[verdict], mark: verdict };

/** Tables of a matrix, for all formats. */
function tablesOf({ parts, requirements, gaps }: Matrix): readonly Table[] {
  return [
    {
      title: 'Requirements by part',
      of: 'Part',
      rows: parts.map(({ part, counts }) => ({
        head: { text: partHeading(part) },
        note: '',
        cells: counts.map((one) => {
          const some = one === null ? [] : nonZero(one);
          const text = some.map(([verdict, n]) => `${n} ${verdictLabels[verdict]}`).join(', ');
          const isBroken = one !== null && one.fail > 0;
          return { text: text || 'none', ...(isBroken && { mark: 'fail' as const }) };
        }),
      })),
    },
    {
      title: `${count(requirements.length, 'requirement')} with different verdicts`,
      of: 'Requirement',
      rows: requirements.map(({ id, part, summary, verdicts }) => ({
        head: { text: id, isCode: true },
        note: `${partName(part)}: ${summary}`,
        cells: verdicts.map(ofVerdict),
      })),
    },
    {
      title: `What the document leaves open: ${gaps.filter(({ differs }) => differs).length} of ${count(gaps.length, 'gap')} answered differently`,
      of: 'Gap',
      rows: gaps.map(({ id, part, question, answers, differs }) => ({
        head: { text: id, isCode: true },
        note: `${partName(part)}: ${question}`,
        cells: answers.map((text) =>
          text === null
            ? unknown
            : { text, isCode: true, ...(differs && { mark: 'differs' as const }) },
        ),
      })),
    },
  ].filter(({ rows }) => rows.length > 0);
}

/** A note if the suites differ: only verdicts of the same suite can be compared. */
const notesOf = ({ targets }: Matrix): readonly string[] =>
  new Set(targets.map(({ suite }) => suite)).size > 1
    ? ['The suites differ: verdicts may for that alone.']
    : [];

export const matrixJson = (matrix: Matrix): string =>
  `${loggableJson(JSON.stringify(matrix, undefined, 2))}\n`;

/** Text of a Markdown cell. Bars are escaped: in a table they end the cell, even within code. */
const inCell = ({ text, isCode }: Cell): string =>
  (isCode ? codeSpan(text) : escapeMarkdown(text)).replaceAll(/(?<!\\)\|/g, '\\|');

export function matrixMarkdown(matrix: Matrix): string {
  const { targets } = matrix;
  const names = targets.map(({ name }) => inCell({ text: name }));
  const sections = tablesOf(matrix).flatMap(({ title, of, rows }) =>
    markdownTable(
      title,
      [of, ...names],
      rows.map(({ head, note, cells }) => [
        `${inCell(head)}${note && `<br>${inCell({ text: note })}`}`,
        ...cells.map(inCell),
      ]),
    ),
  );
  return `${[
    `# ${count(targets.length, 'target')} side by side`,
    '',
    ...targets.map(
      ({ outcome }, at) => `- ${names[at]}: ${escapeMarkdown(outcomeLabels[outcome])}`,
    ),
    ...notesOf(matrix).map((note) => `- ${note}`),
    ...sections,
  ].join('\n')}\n`;
}

const style = `:root{color-scheme:light dark;--line:light-dark(#d0d4da,#3a4048);--soft:light-dark(#59616b,#a5adb8)}
body{background:Canvas;color:CanvasText;font:15px/1.5 system-ui,sans-serif;margin:2rem auto;max-width:76rem;padding:0 1rem}
h1{font-size:1.5rem}h2{font-size:1.1rem;margin-top:2rem}.scroll{overflow-x:auto}
table{border-collapse:collapse;width:100%}th,td{border:1px solid var(--line);padding:.35rem .6rem;text-align:left;vertical-align:top}
thead th{position:sticky;top:0;background:Canvas}tbody th{font-weight:400;min-width:min(16rem,35vw);overflow-wrap:anywhere}td{min-width:5.5rem}small{color:var(--soft);display:block}
code{font-size:.9em;overflow-wrap:anywhere}
.fail,.error{background:light-dark(#fde3e3,#4d1f22)}.warn,.differs{background:light-dark(#fdf1d3,#453711)}.pass{background:light-dark(#e2f4e6,#173a23)}`;

const inHtml = ({ text, isCode }: Cell): string =>
  isCode ? `<code>${escapeHtml(text)}</code>` : escapeHtml(text);

/** One page that loads nothing. */
export function matrixHtml(matrix: Matrix): string {
  const { targets } = matrix;
  const names = targets.map(({ name }) => `<th scope="col">${escapeHtml(name)}</th>`).join('');
  const sections = tablesOf(matrix).map(({ title, of, rows }) => {
    const body = rows.map(({ head, note, cells }) => {
      const small = note === '' ? '' : `<small>${escapeHtml(note)}</small>`;
      const values = cells.map((cell) => `<td class="${cell.mark ?? ''}">${inHtml(cell)}</td>`);
      return `<tr><th scope="row">${inHtml(head)}${small}</th>${values.join('')}</tr>`;
    });
    return [
      `<h2>${escapeHtml(title)}</h2>`,
      `<div class="scroll" role="region" tabindex="0" aria-label="${of}"><table>`,
      `<thead><tr><th scope="col">${of}</th>${names}</tr></thead>`,
      `<tbody>${body.join('\n')}</tbody></table></div>`,
    ].join('\n');
  });
  const outcomes = targets.map(
    ({ name, outcome }) => `<li>${escapeHtml(`${name}: ${outcomeLabels[outcome]}`)}</li>`,
  );
  const title = `${count(targets.length, 'target')} side by side`;
  return `${[
    '<!doctype html>',
    '<html lang="en"><head><meta charset="utf-8">',
    `<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'">`,
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    `<title>Assay: ${title}</title><style>${style}</style></head><body>`,
    `<main><h1>${title}</h1>`,
    `<ul>${outcomes.join('')}${notesOf(matrix)
      .map((note) => `<li>${note}</li>`)
      .join('')}</ul>`,
    ...sections,
    '</main></body></html>',
  ].join('\n')}\n`;
}
