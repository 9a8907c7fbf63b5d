import type { Verdict } from '../../results/verdicts.ts';
import type { CheckReport, GapReport, RunReport } from '../../results/run-report.ts';
import { countsByPart, nonZero, type Reason, occurringVerdicts, reasonCounts } from '../summary.ts';
import { brief, count, partHeading, rootOf, verdictOrder, verdictLabels } from '../labels.ts';
import { code, folded, type Html, html, list, scrolling, soft } from './html.ts';

export function partTable(report: RunReport): Html {
  const used = new Set(occurringVerdicts(report));
  const columns = verdictOrder.filter((verdict) => used.has(verdict));
  const head = columns.map(
    (verdict) => html`<th scope="col" class="number">${verdictLabels[verdict]}</th>`,
  );
  const cells = (counts: Readonly<Record<Verdict, number>>): readonly Html[] =>
    columns.map((verdict) => {
      const n = counts[verdict];
      return html`<td class="number ${n > 0 ? verdict : 'none'}">${n}</td>`;
    });
  const rows = countsByPart(report).map(
    ({ part, counts }) =>
      html`<tr><th scope="row"><a href="#part-${part}">${partHeading(part)}</a></th>${cells(counts)}</tr>`,
  );
  return scrolling(
    'Requirements by part',
    html`<table class="parts"><thead><tr><th scope="col">Part</th>${head}</tr></thead>
<tbody>${rows}</tbody>
<tfoot><tr><th scope="row">All</th>${cells(report.totals.requirements)}</tr></tfoot></table>`,
  );
}

/** A row of a table whose rows the page's script filters by their verdict. */
const judgedRow = (
  { id, verdict, waived, reason }: Pick<CheckReport, 'id' | 'verdict' | 'waived' | 'reason'>,
  what: string,
  ...cells: readonly Html[]
): Html =>
  html`<tr data-verdict="${verdict}"><td>${verdictLabels[verdict]}${waived !== undefined && ' (waived)'}</td><th scope="row">${code(id)}</th>
<td>${what} ${reason !== undefined && soft(brief(reason))}</td>${cells}</tr>`;

/** "1 fail, 3 out of scope"; nothing where all passed. */
const besidesPass = (counts: Readonly<Record<Verdict, number>>): readonly Html[] =>
  nonZero(counts)
    .filter(([verdict]) => verdict !== 'pass')
    .map(([verdict, n]) => html` · <span class="${verdict}">${n} ${verdictLabels[verdict]}</span>`);

export const requirementSections = (report: RunReport): readonly Html[] =>
  countsByPart(report).map(({ part, total, counts }) => {
    const rows = report.requirements
      .filter((each) => rootOf(each.part) === part)
      .map((each) =>
        judgedRow(
          each,
          each.summary,
          html`<td>${each.part}</td><td class="number">${each.exercised}</td>`,
        ),
      );
    return html`<details id="part-${part}"><summary><h3>${partHeading(part)}</h3>
${soft(count(total, 'requirement'))}${besidesPass(counts)}</summary>
<table class="judged"><thead><tr><th scope="col">Verdict</th><th scope="col">Requirement</th>
<th scope="col">What it says</th><th scope="col">Part</th><th scope="col" class="number">Exercised</th></tr></thead>
<tbody>${rows}</tbody></table></details>`;
  });

export function checkTable(checksAndRules: readonly CheckReport[], caption: string): Html {
  const table = html`<table class="judged"><thead><tr><th scope="col">Verdict</th><th scope="col">Id</th><th scope="col">What it does</th></tr></thead>
<tbody>${checksAndRules.map((each) => judgedRow(each, each.title))}</tbody></table>`;
  const head = html`<h3>${caption}</h3> ${soft(String(checksAndRules.length))}`;
  return folded(head, table, 'closed');
}

export function gapTable(gaps: readonly GapReport[]): Html {
  const rows = gaps.map(({ id, part, question, declared, observed, consistent, unlocks }) => {
    const isOpen = declared === undefined && observed === undefined;
    const note = [
      ...(consistent ? [] : ['not always']),
      ...(isOpen && unlocks > 0 ? [`keeps ${count(unlocks, 'requirement')} locked`] : []),
    ].join('; ');
    return html`<tr><th scope="row">${code(id)}</th><td>${question}</td><td>${part}</td>
<td>${declared}</td><td>${observed}</td><td>${note}</td></tr>`;
  });
  const known = gaps.filter(({ declared, observed }) => declared ?? observed).length;
  const table = scrolling(
    'Gaps of the document',
    html`<table class="wide"><thead><tr><th scope="col">Gap</th><th scope="col">Question</th><th scope="col">Part</th>
<th scope="col">Declared</th><th scope="col">Seen</th><th scope="col">Note</th></tr></thead>
<tbody>${rows}</tbody></table>`,
  );
  const head = html`<h3>Answers</h3> ${soft(`${known} of ${gaps.length} known`)}`;
  return folded(head, table, 'closed');
}

export const reasonList = (reasons: readonly Reason[]): Html =>
  list(reasons.map((each) => html`${brief(each.reason)} ${soft(reasonCounts(each))}`));
