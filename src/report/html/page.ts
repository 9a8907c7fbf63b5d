import type { History } from '../../history/records.ts';
import { coverageSections } from '../coverage-text.ts';
import { evidenceIndex } from '../evidence.ts';
import type { RunReport } from '../../results/run-report.ts';
import { recordsByDriver } from '../sequence/records-by-driver.ts';
import {
  brokenChecks,
  outcomeSentence,
  reasonsFor,
  unattributedFailures,
  failuresByRequirement,
  openVerdicts,
} from '../summary.ts';
import { count, verdictLabels } from '../labels.ts';
import {
  brokenCheckArticle,
  type FindingContext,
  unattributedArticle,
  requirementArticle,
} from './findings.ts';
import { baselineBlock, waiverList } from './changes.ts';
import { causeArticles } from './causes.ts';
import { failedList, filterBar, header } from './header.ts';
import { folded, Html, html, list, soft } from './html.ts';
import { scenarioAnchors, scenarioBlocks } from './scenarios.ts';
import { script } from './script.ts';
import { style } from './style.ts';
import { gapTable, checkTable, partTable, reasonList, requirementSections } from './tables.ts';

interface Section {
  readonly id: string;
  readonly title: string;
  /** `false`: there is no such section. */
  readonly body: Html | readonly Html[] | false;
}

const coverageLists = (report: RunReport): readonly Html[] =>
  coverageSections(report).map(([title, lines]) => html`<h3>${title}</h3>${list(lines)}`);

const openReasons = (report: RunReport): readonly Html[] =>
  openVerdicts.flatMap((verdict) => {
    const reasons = reasonsFor(report, verdict);
    if (reasons.length === 0) return [];
    const head = html`<h3 class="${verdict}">${verdictLabels[verdict]}</h3> ${soft(count(reasons.length, 'reason'))}`;
    return [folded(head, reasonList(reasons), 'closed')];
  });

function findings(ctx: FindingContext): Html {
  const { report, scenarios } = ctx;
  const shown = failuresByRequirement(report, 'fail', 'warn');
  const unattributed = unattributedFailures(report);
  const articles = [
    ...brokenChecks(report).map(brokenCheckArticle),
    // A scenario that failed is shown by its own sequence.
    ...unattributed
      .filter(({ id }) => !scenarios.has(id))
      .map((source) => unattributedArticle(source, ctx)),
    ...shown.map((failed, place) => requirementArticle(failed, place, ctx)),
  ];
  if (articles.length > 0) return html`${failedList(shown)}\n${articles}`;
  const beside = unattributed.length > 0 && ' beside the scenarios that failed';
  return html`<p>None${beside}: no requirement failed or gave a warning.</p>`;
}

function sectionsOf(report: RunReport, history: History | undefined): readonly Section[] {
  const { preflight = [], notes = [], checks, rules, gaps } = report;
  const records = recordsByDriver(history);
  const scenarios = scenarioAnchors(report);
  const evidenceItems = evidenceIndex(report, history);
  const ctx: FindingContext = { report, evidenceItems, records, scenarios };
  const sections: readonly Section[] = [
    { id: 'preflight', title: 'Preflight', body: preflight.length > 0 && list(preflight) },
    { id: 'notes', title: 'Notes', body: notes.length > 0 && list(notes) },
    { id: 'scenarios', title: 'Scenarios', body: scenarioBlocks(report, records) },
    { id: 'causes', title: 'Probable causes', body: causeArticles(ctx, history) },
    { id: 'findings', title: 'Findings', body: findings(ctx) },
    { id: 'baseline', title: 'Since the baseline', body: baselineBlock(report) },
    { id: 'waivers', title: 'Waivers', body: waiverList(report) },
    { id: 'parts', title: 'By part of the document', body: partTable(report) },
    { id: 'coverage', title: 'Coverage', body: coverageLists(report) },
    { id: 'open', title: 'Left open', body: openReasons(report) },
    { id: 'requirements', title: 'Requirements', body: requirementSections(report) },
    {
      id: 'judges',
      title: 'Judges',
      body: [checkTable(checks, 'Checks'), checkTable(rules, 'Rules')],
    },
    { id: 'gaps', title: 'Gaps of the document', body: gaps.length > 0 && gapTable(gaps) },
  ];
  return sections.filter(({ body }) => body !== false && !(Array.isArray(body) && !body.length));
}

/** One self-contained page: failures first, everything searchable, no request to anywhere. */
export function toHtml(report: RunReport, history?: History): string {
  const sections = sectionsOf(report, history);
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>${report.target.name}: ${outcomeSentence(report).split(':')[0]} - Assay</title>
<style>${new Html(style)}</style>
</head>
<body>
<a class="skip" href="#${sections[0]?.id}">Skip to what was found</a>
${header(report)}
<nav aria-label="On this page">${sections.map(({ id, title }) => html`<a href="#${id}">${title}</a>`)}</nav>
${filterBar(report)}
<main>
${sections.map(({ id, title, body }) => html`<section id="${id}"><h2>${title}</h2>\n${body}</section>`)}
</main>
<footer>Counts are given over the fixed catalogue. The exchanges stand in <code>history.jsonl</code> beside this file.</footer>
<script>${new Html(script)}</script>
</body>
</html>
`.markup;
}
