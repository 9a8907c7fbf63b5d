import type { Verdict } from '../../results/verdicts.ts';
import type { CheckReport, GapReport, RunReport } from '../../results/run-report.ts';
import { countsByPart, nonZero, type Reason, occurringVerdicts } from '../summary.ts';
import { brief, count, partTitle, rootOf, verdictOrder, verdictLabels } from '../labels.ts';
import { folded, scrolling, soft, text } from './elements.ts';

const partHead = (part: string): string =>
  `${/^\d/.test(part) ? `${part} ` : ''}${text(partTitle(part))}`;
/** A place on the page for each part of the document; parts are words of ours, not of a target. */
const partAnchor = (part: string): string => `part-${text(part)}`;

export function partTable(report: RunReport): string {
  const used = new Set(occurringVerdicts(report));
  const columns = verdictOrder.filter((verdict) => used.has(verdict));
  const head = columns.map(
    (verdict) => `<th scope="col" class="number">${verdictLabels[verdict]}</th>`,
  );
  const cells = (counts: Readonly<Record<Verdict, number>>): string =>
    columns
      .map((verdict) => {
        const n = counts[verdict];
        return `<td class="number ${n > 0 ? verdict : 'none'}">${n}</td>`;
      })
      .join('');
  const rows = countsByPart(report).map(
    ({ part, counts }) =>
      `<tr><th scope="row"><a href="#${partAnchor(part)}">${partHead(part)}</a></th>${cells(counts)}</tr>`,
  );
  const totals = cells(report.totals.requirements);
  return scrolling(
    'Requirements by part',
    `<table class="parts"><thead><tr><th scope="col">Part</th>${head.join('')}</tr></thead>
<tbody>${rows.join('\n')}</tbody>
<tfoot><tr><th scope="row">All</th>${totals}</tr></tfoot></table>`,
  );
}

const reasonSaid = (reason: string | undefined): string =>
  reason === undefined ? '' : ` ${soft(brief(reason))}`;
const verdictCell = (verdict: Verdict, waived?: string): string =>
  `<td>${verdictLabels[verdict]}${waived === undefined ? '' : ' (waived)'}</td>`;

/** "1 fail, 3 out of scope"; nothing where all passed. */
const besidesPass = (counts: Readonly<Record<Verdict, number>>): string =>
  nonZero(counts)
    .filter(([verdict]) => verdict !== 'pass')
    .map(([verdict, n]) => ` · <span class="${verdict}">${n} ${verdictLabels[verdict]}</span>`)
    .join('');

export function requirementSections(report: RunReport): string {
  return countsByPart(report)
    .map(({ part, total, counts }) => {
      const rows = report.requirements
        .filter((each) => rootOf(each.part) === part)
        .map(
          (
            each,
          ) => `<tr data-verdict="${each.verdict}">${verdictCell(each.verdict, each.waived)}<th scope="row"><code>${text(each.id)}</code></th>
<td>${text(each.summary)}${reasonSaid(each.reason)}</td><td>${text(each.part)}</td><td class="number">${each.exercised}</td></tr>`,
        );
      const table = `<table class="judged"><thead><tr><th scope="col">Verdict</th><th scope="col">Requirement</th>
<th scope="col">What it says</th><th scope="col">Part</th><th scope="col" class="number">Exercised</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table>`;
      return `<details id="${partAnchor(part)}"><summary><h3>${partHead(part)}</h3>
<span class="soft">${count(total, 'requirement')}</span>${besidesPass(counts)}</summary>
${table}</details>`;
    })
    .join('\n');
}

export function checkTable(checksAndRules: readonly CheckReport[], caption: string): string {
  const rows = checksAndRules.map(
    (
      each,
    ) => `<tr data-verdict="${each.verdict}">${verdictCell(each.verdict, each.waived)}<th scope="row"><code>${text(each.id)}</code></th>
<td>${text(each.title)}${reasonSaid(each.reason)}</td></tr>`,
  );
  const table = `<table class="judged"><thead><tr><th scope="col">Verdict</th><th scope="col">Id</th><th scope="col">What it does</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table>`;
  return folded(
    `<h3>${text(caption)}</h3> ${soft(String(checksAndRules.length))}`,
    table,
    'closed',
  );
}

export function gapTable(gaps: readonly GapReport[]): string {
  const rows = gaps.map(({ id, part, question, declared, observed, consistent, unlocks }) => {
    const isOpen = declared === undefined && observed === undefined;
    const note = [
      ...(consistent ? [] : ['not always']),
      ...(isOpen && unlocks > 0 ? [`keeps ${count(unlocks, 'requirement')} locked`] : []),
    ].join('; ');
    return `<tr><th scope="row"><code>${text(id)}</code></th><td>${text(question)}</td><td>${text(part)}</td>
<td>${text(declared ?? '')}</td><td>${text(observed ?? '')}</td><td>${text(note)}</td></tr>`;
  });
  const known = gaps.filter(({ declared, observed }) => declared ?? observed).length;
  const table = scrolling(
    'Gaps of the document',
    `<table class="wide"><thead><tr><th scope="col">Gap</th><th scope="col">Question</th><th scope="col">Part</th>
<th scope="col">Declared</th><th scope="col">Seen</th><th scope="col">Note</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table>`,
  );
  return folded(`<h3>Answers</h3> ${soft(`${known} of ${gaps.length} known`)}`, table, 'closed');
}

export const reasonList = (reasons: readonly Reason[]): string =>
  `<ul>${reasons
    .map(({ reason, checks, requirements }) => {
      const counts = [
        ...(checks > 0 ? [count(checks, 'check')] : []),
        ...(requirements > 0 ? [count(requirements, 'requirement')] : []),
      ];
      return `<li>${text(brief(reason))} ${soft(counts.join(', '))}</li>`;
    })
    .join('\n')}</ul>`;
