import { type EvidenceItem, type EvidenceIndex, replayOf, spanOf } from '../evidence.ts';
import type { CheckReport, Failure, RunReport } from '../../results/run-report.ts';
import { sequenceOfCheck } from '../sequence/of-check.ts';
import type { PlacedRecord } from '../sequence/records-by-driver.ts';
import type { RequirementFailures } from '../summary.ts';
import { brief, count, partName } from '../labels.ts';
import { folded, soft, text, verdictMark } from './elements.ts';
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

/** The same words of the same judge: one finding, seen several times. */
interface Group {
  readonly first: Finding;
  readonly others: readonly Finding[];
}

/** How much is shown of one requirement: findings at once, findings folded, and those of them that are drawn. */
interface FindingLimits {
  readonly open: number;
  readonly folded: number;
  readonly drawn: number;
}

/** A target that breaks much breaks it in the same way again and again, and a page of many megabytes is read by nobody. */
const full: FindingLimits = { open: 3, folded: 9, drawn: 1 };
const brieflyShown: FindingLimits = { open: 1, folded: 0, drawn: 0 };
const [fullArticles, othersListed] = [40, 20];

function grouped(findings: readonly Finding[]): Group[] {
  const groups = new Map<string, Finding[]>();
  for (const finding of findings) {
    const key = JSON.stringify([finding.source.id, finding.failure.message]);
    groups.set(key, [...(groups.get(key) ?? []), finding]);
  }
  return [...groups.values()].flatMap(([first, ...others]) => (first ? [{ first, others }] : []));
}

function evidenceItem(exhibit: EvidenceItem): string {
  const body = (label: string, value: string | undefined): string =>
    value === undefined ? '' : `<p class="soft">${label}</p><pre>${text(value)}</pre>`;
  const { party, what, id, sent, received, curl } = exhibit;
  const head = `${text(spanOf(exhibit))} · ${text(party)} · <code>${text(what)}</code> ${soft(id)}`;
  const inside = body('sent', sent) + body('received', received) + body('again', curl);
  return `<li>${folded(head, inside, 'closed')}</li>`;
}

function values({ expected, actual }: Failure): string {
  const line = (label: string, value: unknown, name: string): string =>
    value === undefined
      ? ''
      : `<dt>${label}</dt><dd><code${name}>${text(brief(value))}</code></dd>`;
  const lines = line('expected', expected, '') + line('actual', actual, ' class="fail"');
  return lines === '' ? '' : `<dl class="values">${lines}</dl>`;
}

function drawing(shown: readonly EvidenceItem[], { records }: FindingContext): string {
  const evidence = new Set(shown.map(({ id }) => id));
  const by = shown[0]?.by;
  const sequence = by === undefined ? undefined : sequenceOfCheck(records.get(by) ?? [], evidence);
  if (by === undefined || !sequence) return '';
  return folded(`What happened in <code>${text(by)}</code>`, sequenceTable(sequence, by), 'open');
}

function othersLine(others: readonly Finding[]): string {
  if (others.length === 0) return '';
  const items = others.slice(0, othersListed).map(({ failure }) => {
    const seen =
      failure.actual === undefined ? '' : `<code>${text(brief(failure.actual, 120))}</code> `;
    return `<li>${seen}${soft(failure.exchanges.join(', '))}</li>`;
  });
  return folded(
    `and ${count(others.length, 'time', 'times')} more`,
    `<ul>${items.join('\n')}</ul>`,
    'closed',
  );
}

function groupBlock(
  { first, others }: Group,
  state: 'drawn' | 'told',
  ctx: FindingContext,
): string {
  const { source, failure } = first;
  const head = `<p>${text(failure.message)} ${soft(`(${source.id})`)}</p>\n${values(failure)}`;
  const anchor = ctx.scenarios.get(source.id);
  if (anchor !== undefined) {
    return `<div class="finding">${head}<p><a href="#${anchor}">its sequence</a></p></div>`;
  }
  const shown = ctx.evidenceItems.show(failure.exchanges);
  const list =
    shown.length > 0
      ? `<ol class="exchanges">${shown.map(evidenceItem).join('\n')}</ol>`
      : failure.exchanges.length > 0
        ? `<p class="soft">exchanges ${text(failure.exchanges.join(', '))}</p>`
        : '';
  const drawn = state === 'drawn' ? drawing(shown, ctx) : '';
  const replay = replayOf(shown, source.id, ctx.report);
  const again =
    replay === undefined
      ? ''
      : `<p class="again">again: <code>assay replay ${text(replay)}</code></p>`;
  return `<div class="finding">${head}${list}${drawn}${again}${othersLine(others)}</div>`;
}

function blocks(
  findings: readonly Finding[],
  fullness: FindingLimits,
  ctx: FindingContext,
): string {
  const groups = grouped(findings);
  const kept = groups.slice(0, fullness.open + fullness.folded);
  const all = kept.map((group, place) =>
    groupBlock(group, place < fullness.drawn ? 'drawn' : 'told', ctx),
  );
  const [open, rest] = [all.slice(0, fullness.open), all.slice(fullness.open)];
  const more =
    rest.length === 0 ? '' : folded(count(rest.length, 'more finding'), rest.join('\n'), 'closed');
  const left = groups.length - kept.length;
  const elsewhere =
    left === 0 ? '' : `<p class="soft">${count(left, 'more finding')} in report.json</p>`;
  return open.join('\n') + more + elsewhere;
}

export const findingAnchor = (place: number): string => `finding-${place + 1}`;

export function requirementArticle(
  failed: RequirementFailures,
  place: number,
  ctx: FindingContext,
): string {
  const { id, part, summary, verdict, waived } = failed.requirement;
  const why = waived === undefined ? '' : `<p>waived: ${text(waived)}</p>`;
  return `<article id="${findingAnchor(place)}" class="card ${verdict}" data-verdict="${verdict}"><h3>${verdictMark(verdict, waived)} <code>${text(id)}</code></h3>
<p>${text(summary)} ${soft(partName(part))}</p>${why}
${blocks(failed.findings, place < fullArticles ? full : brieflyShown, ctx)}</article>`;
}

/** A check or a rule that failed over no requirement of the catalogue. */
export function unattributedArticle(source: CheckReport, ctx: FindingContext): string {
  const { id, title, reason, waived } = source;
  const findings = source.failures
    .filter(({ outcome }) => outcome === 'fail')
    .map((failure) => ({ source, failure }));
  const why = findings.length > 0 || reason === undefined ? '' : `<p>${text(reason)}</p>`;
  return `<article class="card fail" data-verdict="fail"><h3>${verdictMark('fail', waived)} <code>${text(id)}</code></h3>
<p>${text(title)}</p>${why}
${blocks(findings, full, ctx)}</article>`;
}

export const brokenCheckArticle = ({ id, title, reason = '' }: CheckReport): string =>
  `<article class="card error" data-verdict="error"><h3>${verdictMark('error')} <code>${text(id)}</code></h3>
<p>${text(title)} ${soft("our own fault, not the target's")}</p><pre>${text(reason)}</pre></article>`;
