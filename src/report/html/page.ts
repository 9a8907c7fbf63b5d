import type { History } from '../../history/records.ts';
import { exhibitsOf } from '../exhibits.ts';
import type { RunReport } from '../run.ts';
import { broken, nonZero, reasonsFor, troubles } from '../summary.ts';
import { outcomeWords, verdictOrder, verdictWords } from '../words.ts';
import {
  faultArticle,
  gapTable,
  judgeTable,
  partTable,
  reasonList,
  requirementSections,
  text,
  troubleArticle,
} from './pieces.ts';
import { script, style } from './style.ts';

function facts(report: RunReport): string {
  const { run, target, suite } = report;
  const offered = Object.entries(target.participants)
    .map(([name, { role }]) => `${name} (${role})`)
    .join(', ');
  const pairs: readonly (readonly [string, string])[] = [
    ['target', target.name],
    ['clock', target.clock.kind],
    ['seed', run.seed],
    ['started', run.started_at],
    [
      'took',
      `${(run.wall_ms / 1000).toFixed(1)} s for ${(run.target_ms / 1000).toFixed(1)} s of target time`,
    ],
    ['suite', `${suite.version} (${suite.digest.slice(0, 12)})`],
    ['parties', offered],
  ];
  const items = pairs.map(
    ([label, value]) => `<div><dt>${label}</dt><dd>${text(value)}</dd></div>`,
  );
  return `<dl class="facts">${items.join('\n')}</dl>`;
}

/** Shown by the script alone: without it there is nothing to filter with. */
function filterBar(report: RunReport): string {
  const boxes = verdictOrder
    .filter((verdict) =>
      [...report.requirements, ...report.checks, ...report.rules].some(
        (each) => each.verdict === verdict,
      ),
    )
    .map(
      (verdict) =>
        `<label><input type="checkbox" name="verdict" value="${verdict}" checked> ${verdictWords[verdict]}</label>`,
    );
  return `<div class="filter" id="filter" role="search" hidden>
<label>Search <input type="search" id="search" placeholder="id, words, part"></label>
${boxes.join('\n')}
<span class="soft" id="told" role="status"></span></div>`;
}

const section = (title: string, body: string): string =>
  body === '' ? '' : `<section><h2>${title}</h2>\n${body}</section>`;

function waiverList(report: RunReport): string {
  const { waivers = [] } = report;
  if (waivers.length === 0) return '';
  const items = waivers.map(
    ({ id, status, reason, problem }) =>
      `<li class="${status === 'broken' ? 'fail' : ''}"><code>${text(id)}</code> ${status}: ${text(problem ?? reason)}</li>`,
  );
  return `<ul>${items.join('\n')}</ul>`;
}

function openReasons(report: RunReport): string {
  return (['inconclusive', 'not_exercised', 'out_of_scope'] as const)
    .flatMap((verdict) => {
      const reasons = reasonsFor(report, verdict);
      return reasons.length === 0
        ? []
        : [`<h3>${verdictWords[verdict]}</h3>${reasonList(reasons)}`];
    })
    .join('\n');
}

/** One self-contained page: failures first, everything searchable, no request to anywhere. */
export function toHtml(report: RunReport, history?: History): string {
  const exhibits = exhibitsOf(report, history);
  const findings = [
    ...broken(report).map(faultArticle),
    ...troubles(report, 'fail', 'warn').map((trouble) => troubleArticle(trouble, exhibits, report)),
  ];
  const { outcome, preflight = [] } = report;
  const totals = nonZero(report.totals.requirements)
    .map(([verdict, n]) => `<span class="${verdict}">${n} ${verdictWords[verdict]}</span>`)
    .join(' · ');
  const problems = preflight.map((problem) => `<li>${text(problem)}</li>`).join('\n');
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; script-src 'unsafe-inline'">
<title>${text(report.target.name)}: ${outcome} - Assay</title>
<style>${style}</style>
</head>
<body>
<a class="skip" href="#findings">To the findings</a>
<header>
<h1>Assay: ${text(report.target.name)}</h1>
<p class="outcome ${outcome}">${text(outcomeWords[outcome])}</p>
<p>${totals || 'no requirement'}</p>
${facts(report)}
</header>
<main>
${section('Preflight', problems === '' ? '' : `<ul>${problems}</ul>`)}
${partTable(report)}
${filterBar(report)}
<section id="findings"><h2>Findings</h2>
${findings.length > 0 ? findings.join('\n') : '<p>None: no requirement failed or gave a warning.</p>'}</section>
${section('Waivers', waiverList(report))}
${section('Left open', openReasons(report))}
${section('Requirements', requirementSections(report))}
${section('Judges', judgeTable(report.checks, 'Checks') + judgeTable(report.rules, 'Rules'))}
${section('Gaps of the document', report.gaps.length > 0 ? gapTable(report.gaps) : '')}
</main>
<footer>Counts are given over the fixed catalogue. The exchanges stand in <code>history.jsonl</code> beside this file.</footer>
<script>${script}</script>
</body>
</html>
`;
}
