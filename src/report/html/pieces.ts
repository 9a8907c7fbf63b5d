import type { Verdict } from '../../conformance/verdicts.ts';
import { escapeHtml } from '../escape.ts';
import { type Exhibit, type Exhibits, replayOf, spanOf } from '../exhibits.ts';
import type { CheckReport, GapReport, RunReport } from '../run.ts';
import { byPart, type Reason, type Trouble, usedVerdicts } from '../summary.ts';
import { brief, count, partName, partTitle, rootOf, verdictWords } from '../words.ts';

export const text = escapeHtml;

export const verdictMark = (verdict: Verdict, waived?: string): string => {
  const words = `${verdictWords[verdict]}${waived === undefined ? '' : ' (waived)'}`;
  return `<span class="verdict ${verdict}">${words}</span>`;
};

export function partTable(report: RunReport): string {
  const columns = usedVerdicts(report);
  const head = columns.map(
    (verdict) => `<th scope="col" class="number">${verdictWords[verdict]}</th>`,
  );
  const cells = (counts: Readonly<Record<Verdict, number>>): string =>
    columns
      .map((verdict) => {
        const n = counts[verdict];
        return `<td class="number${n > 0 ? ` ${verdict}` : ' soft'}">${n}</td>`;
      })
      .join('');
  const rows = byPart(report).map(({ part, counts }) => {
    const number = /^\d/.test(part) ? `${part} ` : '';
    return `<tr><th scope="row">${number}${text(partTitle(part))}</th>${cells(counts)}</tr>`;
  });
  const totals = cells(report.totals.requirements);
  return `<div class="scroll"><table><caption class="soft">Requirements by part of the document</caption>
<thead><tr><th scope="col">Part</th>${head.join('')}</tr></thead>
<tbody>${rows.join('\n')}
<tr><th scope="row">All</th>${totals}</tr></tbody></table></div>`;
}

function exhibitItem(exhibit: Exhibit): string {
  const body = (label: string, value: string | undefined): string =>
    value === undefined ? '' : `<p class="soft">${label}</p><pre>${text(value)}</pre>`;
  const { party, what, id, sent, received, curl } = exhibit;
  return `<li><details><summary>${text(spanOf(exhibit))} · ${text(party)} · <code>${text(what)}</code>
<span class="soft">${text(id)}</span></summary>
${body('sent', sent)}${body('received', received)}${body('again', curl)}</details></li>`;
}

function values(expected: unknown, actual: unknown): string {
  const line = (label: string, value: unknown): string =>
    value === undefined ? '' : `<dt>${label}</dt><dd><code>${text(brief(value))}</code></dd>`;
  const lines = line('expected', expected) + line('actual', actual);
  return lines === '' ? '' : `<dl class="values">${lines}</dl>`;
}

function findingBlock(
  { judge, failure }: Trouble['findings'][number],
  exhibits: Exhibits,
  report: RunReport,
): string {
  const shown = exhibits.show(failure.exchanges);
  const list =
    shown.length > 0
      ? `<ol class="exchanges">${shown.map(exhibitItem).join('\n')}</ol>`
      : failure.exchanges.length > 0
        ? `<p class="soft">exchanges ${text(failure.exchanges.join(', '))}</p>`
        : '';
  const replay = replayOf(shown, judge.id, report);
  const again = replay === undefined ? '' : `<p><code>assay replay ${text(replay)}</code></p>`;
  return `<div class="finding"><p>${text(failure.message)} <span class="soft">(${text(judge.id)})</span></p>
${values(failure.expected, failure.actual)}${list}${again}</div>`;
}

export function troubleArticle(trouble: Trouble, exhibits: Exhibits, report: RunReport): string {
  const { id, part, summary, verdict, waived } = trouble.requirement;
  const findings = trouble.findings.map((finding) => findingBlock(finding, exhibits, report));
  const why = waived === undefined ? '' : `<p>waived: ${text(waived)}</p>`;
  return `<article data-verdict="${verdict}"><h3>${verdictMark(verdict, waived)} <code>${text(id)}</code></h3>
<p>${text(summary)} <span class="soft">${text(partName(part))}</span></p>${why}
${findings.join('\n')}</article>`;
}

export const faultArticle = ({ id, title, reason = '' }: CheckReport): string =>
  `<article data-verdict="error"><h3>${verdictMark('error')} <code>${text(id)}</code></h3>
<p>${text(title)} <span class="soft">our own fault, not the target's</span></p><pre>${text(reason)}</pre></article>`;

export function requirementSections(report: RunReport): string {
  return byPart(report)
    .map(({ part, total }) => {
      const number = /^\d/.test(part) ? `${part} ` : '';
      const rows = report.requirements
        .filter((each) => rootOf(each.part) === part)
        .map(
          (
            each,
          ) => `<tr data-verdict="${each.verdict}"><td>${verdictMark(each.verdict, each.waived)}</td>
<th scope="row"><code>${text(each.id)}</code></th><td>${text(each.summary)}${
            each.reason === undefined
              ? ''
              : ` <span class="soft">${text(brief(each.reason))}</span>`
          }</td><td>${text(each.part)}</td><td class="number">${each.exercised}</td></tr>`,
        );
      return `<details open><summary><h3>${number}${text(partTitle(part))}</h3>
<span class="soft">${count(total, 'requirement')}</span></summary>
<div class="scroll"><table><thead><tr><th scope="col">Verdict</th><th scope="col">Requirement</th>
<th scope="col">What it says</th><th scope="col">Part</th><th scope="col" class="number">Exercised</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div></details>`;
    })
    .join('\n');
}

export function judgeTable(judges: readonly CheckReport[], caption: string): string {
  const rows = judges.map(
    (each) => `<tr data-verdict="${each.verdict}"><td>${verdictMark(each.verdict, each.waived)}</td>
<th scope="row"><code>${text(each.id)}</code></th><td>${text(each.title)}${
      each.reason === undefined ? '' : ` <span class="soft">${text(brief(each.reason))}</span>`
    }</td></tr>`,
  );
  return `<details><summary>${text(caption)}: ${judges.length}</summary>
<div class="scroll"><table><thead><tr><th scope="col">Verdict</th><th scope="col">Id</th><th scope="col">What it does</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div></details>`;
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
  return `<div class="scroll"><table><thead><tr><th scope="col">Gap</th><th scope="col">Question</th><th scope="col">Part</th>
<th scope="col">Declared</th><th scope="col">Seen</th><th scope="col">Note</th></tr></thead>
<tbody>${rows.join('\n')}</tbody></table></div>`;
}

export const reasonList = (reasons: readonly Reason[]): string =>
  `<ul>${reasons
    .map(
      ({ reason, checks, requirements }) =>
        `<li>${text(brief(reason))} <span class="soft">${count(checks, 'check')}, ${count(requirements, 'requirement')}</span></li>`,
    )
    .join('\n')}</ul>`;
