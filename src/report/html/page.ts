import type { History } from '../../history/records.ts';
import { evidenceIndex } from '../evidence.ts';
import type { RunReport } from '../../results/run-report.ts';
import { recordsByDriver } from '../sequence/records-by-driver.ts';
import {
  brokenChecks,
  reasonsFor,
  unattributedFailures,
  failuresByRequirement,
} from '../summary.ts';
import { count, verdictLabels } from '../labels.ts';
import {
  brokenCheckArticle,
  type FindingContext,
  unattributedArticle,
  requirementArticle,
} from './findings.ts';
import { failedList, filterBar, header } from './header.ts';
import { folded, soft, text } from './elements.ts';
import { scenarioAnchors, scenarioBlocks } from './scenarios.ts';
import { script } from './script.ts';
import { laneStyle, style } from './style.ts';
import { gapTable, checkTable, partTable, reasonList, requirementSections } from './tables.ts';

interface Section {
  readonly id: string;
  readonly title: string;
  /** Empty: there is no such section. */
  readonly body: string;
}

function waiverList({ waivers = [] }: RunReport): string {
  if (waivers.length === 0) return '';
  const items = waivers.map(
    ({ id, status, reason, problem }) =>
      `<li class="${status === 'broken' ? 'fail' : ''}"><code>${text(id)}</code> ${status}: ${text(problem ?? reason)}</li>`,
  );
  return `<ul>${items.join('\n')}</ul>`;
}

const openReasons = (report: RunReport): string =>
  (['inconclusive', 'not_exercised', 'out_of_scope'] as const)
    .flatMap((verdict) => {
      const reasons = reasonsFor(report, verdict);
      if (reasons.length === 0) return [];
      const head = `<h3 class="${verdict}">${verdictLabels[verdict]}</h3> ${soft(count(reasons.length, 'reason'))}`;
      return [folded(head, reasonList(reasons), 'closed')];
    })
    .join('\n');

function findings(ctx: FindingContext): string {
  const { report, scenarios } = ctx;
  const shown = failuresByRequirement(report, 'fail', 'warn');
  const articles = [
    ...brokenChecks(report).map(brokenCheckArticle),
    // Where a scenario failed, its own sequence says all.
    ...unattributedFailures(report)
      .filter(({ id }) => !scenarios.has(id))
      .map((source) => unattributedArticle(source, ctx)),
    ...shown.map((failed, place) => requirementArticle(failed, place, ctx)),
  ];
  if (articles.length === 0) {
    const beside =
      unattributedFailures(report).length > 0 ? ' beside the scenarios that failed' : '';
    return `<p>None${beside}: no requirement failed or gave a warning.</p>`;
  }
  return [failedList(shown), ...articles].join('\n');
}

function sectionsOf(report: RunReport, history: History | undefined): readonly Section[] {
  const records = recordsByDriver(history);
  const scenarios = scenarioAnchors(report);
  const ctx: FindingContext = {
    report,
    evidenceItems: evidenceIndex(report, history),
    records,
    scenarios,
  };
  const list = (lines: readonly string[] = []): string =>
    lines.length === 0
      ? ''
      : `<ul>${lines.map((line) => `<li>${text(line)}</li>`).join('\n')}</ul>`;
  return [
    { id: 'preflight', title: 'Preflight', body: list(report.preflight) },
    { id: 'notes', title: 'Notes', body: list(report.notes) },
    { id: 'scenarios', title: 'Scenarios', body: scenarioBlocks(report, records) },
    { id: 'findings', title: 'Findings', body: findings(ctx) },
    { id: 'waivers', title: 'Waivers', body: waiverList(report) },
    { id: 'parts', title: 'By part of the document', body: partTable(report) },
    { id: 'open', title: 'Left open', body: openReasons(report) },
    { id: 'requirements', title: 'Requirements', body: requirementSections(report) },
    {
      id: 'judges',
      title: 'Judges',
      body: checkTable(report.checks, 'Checks') + checkTable(report.rules, 'Rules'),
    },
    {
      id: 'gaps',
      title: 'Gaps of the document',
      body: report.gaps.length > 0 ? gapTable(report.gaps) : '',
    },
  ].filter(({ body }) => body !== '');
}

/** One self-contained page: failures first, everything searchable, no request to anywhere. */
export function toHtml(report: RunReport, history?: History): string {
  const sections = sectionsOf(report, history);
  const [first] = sections;
  const links = sections.map(({ id, title }) => `<a href="#${id}">${title}</a>`);
  const bodies = sections.map(
    ({ id, title, body }) => `<section id="${id}"><h2>${title}</h2>\n${body}</section>`,
  );
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>${text(report.target.name)}: ${report.outcome} - Assay</title>
<style>${style}
${laneStyle}</style>
</head>
<body>
<a class="skip" href="#${first?.id ?? ''}">Skip to what was found</a>
${header(report)}
<nav aria-label="On this page">${links.join('\n')}</nav>
${filterBar(report)}
<main>
${bodies.join('\n')}
</main>
<footer>Counts are given over the fixed catalogue. The exchanges stand in <code>history.jsonl</code> beside this file.</footer>
<script>${script}</script>
</body>
</html>
`;
}
