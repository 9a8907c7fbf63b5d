import { type EvidenceItem, type EvidenceIndex, replayOf, spanOf } from '../evidence.ts';
import type { CheckReport, Failure, RunReport } from '../../results/run-report.ts';
import { sequenceOfCheck } from '../sequence/of-check.ts';
import type { PlacedRecord } from '../sequence/records-by-driver.ts';
import { causesOfRequirement, shownCauses } from '../causes.ts';
import type { RequirementFailures } from '../summary.ts';
import { brief, count, partName, valuesOf } from '../labels.ts';
import { causeAnchor, code, folded, type Html, html, list, soft, verdictMark } from './html.ts';
import { sequenceTable } from './sequence.ts';

/** What findings are shown with. */
export interface FindingContext {
  readonly report: RunReport;
  readonly evidenceItems: EvidenceIndex;
  readonly records: ReadonlyMap<string, readonly PlacedRecord[]>;
  /** Where on the page each played scenario is. */
  readonly scenarios: ReadonlyMap<string, string>;
}

type Finding = RequirementFailures['findings'][number];

/** How much is shown of one requirement: findings at once, findings folded, and those of them that are drawn. */
interface FindingLimits {
  readonly open: number;
  readonly folded: number;
  readonly drawn: number;
}

/** A target that breaks much repeats the same failures: without limits the page would grow to many megabytes. */
const full: FindingLimits = { open: 3, folded: 9, drawn: 1 };
const brieflyShown: FindingLimits = { open: 1, folded: 0, drawn: 0 };
const [fullArticles, othersListed] = [40, 20];

/** One list for each message of each check or rule: the same finding, seen several times. */
function grouped(findings: readonly Finding[]): readonly (readonly Finding[])[] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = JSON.stringify([finding.source.id, finding.failure.message]);
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  return [...groups.values()];
}

function evidenceItem(item: EvidenceItem): Html {
  const body = (label: string, value: string | undefined): Html | false =>
    value !== undefined && html`<p class="soft">${label}</p><pre>${value}</pre>`;
  const { party, what, id, sent, received, curl } = item;
  const head = html`${spanOf(item)} · ${party} · ${code(what)} ${soft(id)}`;
  const inside = html`${body('sent', sent)}${body('received', received)}${body('again', curl)}`;
  return html`<li>${folded(head, inside, 'closed')}</li>`;
}

const values = (failure: Failure): Html | false => {
  const lines = valuesOf(failure).map(
    ([name, value]) =>
      html`<dt>${name}</dt><dd>${name === 'actual' ? html`<code class="fail">${value}</code>` : code(value)}</dd>`,
  );
  return lines.length > 0 && html`<dl class="values">${lines}</dl>`;
};

function drawing(shown: readonly EvidenceItem[], { records }: FindingContext): Html | undefined {
  const evidence = new Set(shown.map(({ id }) => id));
  const by = shown[0]?.by;
  const sequence = by === undefined ? undefined : sequenceOfCheck(records.get(by) ?? [], evidence);
  if (by === undefined || !sequence) return undefined;
  return folded(html`What happened in ${code(by)}`, sequenceTable(sequence, by), 'open');
}

function othersLine(others: readonly Finding[]): Html | false {
  const items = others.slice(0, othersListed).map(({ failure: { actual, exchanges } }) => {
    const seen = actual !== undefined && code(brief(actual, 120));
    return html`${seen} ${soft(exchanges.join(', '))}`;
  });
  const head = `and ${count(others.length, 'time')} more`;
  return others.length > 0 && folded(head, list(items), 'closed');
}

function groupBlock(group: readonly Finding[], isDrawn: boolean, ctx: FindingContext): Html {
  const [first, ...others] = group;
  if (!first) return html``;
  const { source, failure } = first;
  const head = html`<p>${failure.message} ${soft(`(${source.id})`)}</p>\n${values(failure)}`;
  const anchor = ctx.scenarios.get(source.id);
  if (anchor !== undefined) {
    return html`<div class="finding">${head}<p><a href="#${anchor}">its sequence</a></p></div>`;
  }
  const shown = ctx.evidenceItems.show(failure.exchanges);
  const ids = failure.exchanges.join(', ');
  const evidence =
    shown.length > 0
      ? html`<ol class="exchanges">${shown.map(evidenceItem)}</ol>`
      : ids !== '' && html`<p class="soft">exchanges ${ids}</p>`;
  const replay = replayOf(shown, source.id, ctx.report);
  const again =
    replay !== undefined && html`<p class="again">again: <code>assay replay ${replay}</code></p>`;
  return html`<div class="finding">${head}${evidence}${isDrawn && drawing(shown, ctx)}${again}${othersLine(others)}</div>`;
}

function blocks(findings: readonly Finding[], limits: FindingLimits, ctx: FindingContext): Html {
  const groups = grouped(findings);
  const shown = groups
    .slice(0, limits.open + limits.folded)
    .map((group, place) => groupBlock(group, place < limits.drawn, ctx));
  const [open, rest] = [shown.slice(0, limits.open), shown.slice(limits.open)];
  const left = groups.length - shown.length;
  return html`${open}${
    rest.length > 0 && folded(count(rest.length, 'more finding'), rest, 'closed')
  }${left > 0 && html`<p class="soft">${count(left, 'more finding')} in report.json</p>`}`;
}

export const findingAnchor = (place: number): string => `finding-${place + 1}`;

export function requirementArticle(
  failed: RequirementFailures,
  place: number,
  ctx: FindingContext,
): Html {
  const { id, part, summary, verdict, waived } = failed.requirement;
  const causes = causesOfRequirement(shownCauses(ctx.report), id);
  return html`<article id="${findingAnchor(place)}" class="card ${verdict}" data-verdict="${verdict}"><h3>${verdictMark(verdict, waived)} ${code(id)}</h3>
<p>${summary} ${soft(partName(part))}${causes.map((number) => html` <a href="#${causeAnchor(number)}">cause ${number}</a>`)}</p>${waived !== undefined && html`<p>waived: ${waived}</p>`}
${blocks(failed.findings, place < fullArticles ? full : brieflyShown, ctx)}</article>`;
}

/** A check or a rule that failed over no requirement of the catalogue. */
export function unattributedArticle(source: CheckReport, ctx: FindingContext): Html {
  const { id, title, reason, waived } = source;
  const findings = source.failures
    .filter(({ outcome }) => outcome === 'fail')
    .map((failure) => ({ source, failure }));
  const why = findings.length === 0 && reason !== undefined && html`<p>${reason}</p>`;
  return html`<article class="card fail" data-verdict="fail"><h3>${verdictMark('fail', waived)} ${code(id)}</h3>
<p>${title}</p>${why}
${blocks(findings, full, ctx)}</article>`;
}

export const brokenCheckArticle = ({ id, title, reason }: CheckReport): Html =>
  html`<article class="card error" data-verdict="error"><h3>${verdictMark('error')} ${code(id)}</h3>
<p>${title} ${soft("our own fault, not the target's")}</p><pre>${reason}</pre></article>`;
