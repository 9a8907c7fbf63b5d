import type { Verdict } from '../../results/verdicts.ts';
import { countVerdicts } from '../assemble.ts';
import type { RunReport } from '../../results/run-report.ts';
import { durationText } from '../sequence/sequence.ts';
import { nonZero, outcomeSentence, type RequirementFailures } from '../summary.ts';
import { brief, verdictOrder, verdictLabels } from '../labels.ts';
import { findingAnchor } from './findings.ts';
import { soft, text, verdictMark } from './elements.ts';

/** "nonconformant: the interface is violated", its first word set off. */
function verdictLine(report: RunReport): string {
  const { outcome } = report;
  const words = outcomeSentence(report);
  const colon = words.indexOf(':');
  return `<p class="outcome ${outcome}"><strong>${text(words.slice(0, colon))}</strong> <span>${text(words.slice(colon + 1).trim())}</span></p>`;
}

function tally(what: string, counts: Readonly<Record<Verdict, number>>): string {
  const chips = nonZero(counts).map(
    ([verdict, n]) => `<span class="chip ${verdict}"><b>${n}</b> ${verdictLabels[verdict]}</span>`,
  );
  return `<div><dt>${what}</dt><dd>${chips.join(' ') || 'none'}</dd></div>`;
}

function tallies(report: RunReport): string {
  const { totals, scenarios, rules } = report;
  return `<dl class="tally">${[
    ...(scenarios ? [tally('Scenarios', countVerdicts(scenarios))] : []),
    tally('Requirements', totals.requirements),
    ...(scenarios ? [] : [tally('Checks', totals.checks)]),
    ...(rules.length > 0 ? [tally('Rules', countVerdicts(rules))] : []),
  ].join('\n')}</dl>`;
}

function facts({ run, target, suite }: RunReport): string {
  const offered = Object.entries(target.participants)
    .map(([name, { role }]) => `${name} (${role})`)
    .join(', ');
  const pairs: readonly (readonly [string, string])[] = [
    ['clock', target.clock.kind],
    ['seed', run.seed],
    ['started', run.started_at],
    [
      'took',
      `${(run.wall_ms / 1000).toFixed(1)} s for ${durationText(run.target_ms)} of target time`,
    ],
    ['suite', `${suite.version} (${suite.digest.slice(0, 12)})`],
    ...(offered === '' ? [] : [['parties', offered] as const]),
  ];
  const items = pairs.map(
    ([label, value]) => `<div><dt>${label}</dt><dd>${text(value)}</dd></div>`,
  );
  return `<dl class="facts">${items.join('\n')}</dl>`;
}

export const header = (report: RunReport): string => `<header>
<p class="soft">Assay, the report of a run</p>
<h1>${text(report.target.name)}</h1>
${verdictLine(report)}
${tallies(report)}
${facts(report)}
</header>`;

/** What failed in one line each, before any evidence. */
export function failedList(failuresByRequirement: readonly RequirementFailures[]): string {
  if (failuresByRequirement.length < 2) return '';
  const items = failuresByRequirement.map(({ requirement, findings }, place) => {
    const [first] = findings;
    const why = first ? ` ${soft(brief(first.failure.message, 120))}` : '';
    return `<li>${verdictMark(requirement.verdict, requirement.waived)} <a href="#${findingAnchor(place)}"><code>${text(requirement.id)}</code></a>${why}</li>`;
  });
  return `<ol class="brief">${items.join('\n')}</ol>`;
}

/** Shown by the script alone: without it there is nothing to filter with. */
export function filterBar(report: RunReport): string {
  const present = new Set(
    [...report.requirements, ...report.checks, ...report.rules].map(({ verdict }) => verdict),
  );
  const boxes = verdictOrder
    .filter((verdict) => present.has(verdict))
    .map(
      (verdict) =>
        `<label><input type="checkbox" name="verdict" value="${verdict}" checked> ${verdictLabels[verdict]}</label>`,
    );
  return `<div class="filter" id="filter" role="search" hidden>
<label>Search <input type="search" id="search" placeholder="id, words, part"></label>
<span class="boxes">${boxes.join('\n')}</span>
<button type="button" id="unfold">Unfold all</button>
<span class="soft" id="told" role="status"></span></div>`;
}
