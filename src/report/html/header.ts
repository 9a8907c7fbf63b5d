import type { Verdict } from '../../results/verdicts.ts';
import { countVerdicts } from '../assemble.ts';
import type { RunReport } from '../../results/run-report.ts';
import { durationText } from '../sequence/sequence.ts';
import { nonZero, outcomeSentence, type RequirementFailures } from '../summary.ts';
import { brief, verdictOrder, verdictLabels } from '../labels.ts';
import { findingAnchor } from './findings.ts';
import { code, type Html, html, soft, verdictMark } from './html.ts';

/** "nonconformant: the interface is violated", its first word set off. */
function verdictLine(report: RunReport): Html {
  const sentence = outcomeSentence(report);
  const colon = sentence.indexOf(':');
  return html`<p class="outcome ${report.outcome}"><strong>${sentence.slice(0, colon)}</strong> <span>${sentence.slice(colon + 1).trim()}</span></p>`;
}

function tally(what: string, counts: Readonly<Record<Verdict, number>>): Html {
  const chips = nonZero(counts).map(
    ([verdict, n]) =>
      html`<span class="chip ${verdict}"><b>${n}</b> ${verdictLabels[verdict]}</span>`,
  );
  return html`<div><dt>${what}</dt><dd>${chips.length > 0 ? chips : 'none'}</dd></div>`;
}

const tallies = ({ totals, scenarios, rules }: RunReport): Html =>
  html`<dl class="tally">${[
    scenarios && tally('Scenarios', countVerdicts(scenarios)),
    tally('Requirements', totals.requirements),
    !scenarios && tally('Checks', totals.checks),
    rules.length > 0 && tally('Rules', countVerdicts(rules)),
  ]}</dl>`;

function facts({ run, target, suite }: RunReport): Html {
  const seconds = (run.wall_ms / 1000).toFixed(1);
  const parties = Object.entries(target.participants).map(
    ([name, { role }]) => `${name} (${role})`,
  );
  const pairs: Readonly<Record<string, string>> = {
    clock: target.clock.kind,
    seed: run.seed,
    started: run.started_at,
    took: `${seconds} s for ${durationText(run.target_ms)} of target time`,
    suite: `${suite.version} (${suite.digest.slice(0, 12)})`,
    ...(parties.length > 0 && { parties: parties.join(', ') }),
  };
  return html`<dl class="facts">${Object.entries(pairs).map(
    ([label, value]) => html`<div><dt>${label}</dt><dd>${value}</dd></div>`,
  )}</dl>`;
}

export const header = (report: RunReport): Html => html`<header>
<p class="soft">Assay, the report of a run</p>
<h1>${report.target.name}</h1>
${verdictLine(report)}
${tallies(report)}
${facts(report)}
</header>`;

/** What failed in one line each, before any evidence. */
export function failedList(failuresByRequirement: readonly RequirementFailures[]): Html | false {
  const items = failuresByRequirement.map(({ requirement, findings: [first] }, place) => {
    const { id, verdict, waived } = requirement;
    return html`<li>${verdictMark(verdict, waived)} <a href="#${findingAnchor(place)}">${code(id)}</a> ${first && soft(brief(first.failure.message, 120))}</li>`;
  });
  return items.length > 1 && html`<ol class="brief">${items}</ol>`;
}

/** Only the script shows it: without the script there is nothing to filter with. */
export function filterBar(report: RunReport): Html {
  const all = [...report.requirements, ...report.checks, ...report.rules];
  const boxes = verdictOrder
    .filter((verdict) => all.some((each) => each.verdict === verdict))
    .map(
      (verdict) =>
        html`<label><input type="checkbox" name="verdict" value="${verdict}" checked> ${verdictLabels[verdict]}</label>`,
    );
  return html`<div class="filter" id="filter" role="search" hidden>
<label>Search <input type="search" id="search" placeholder="id, words, part"></label>
<span class="boxes">${boxes}</span>
<button type="button" id="unfold">Unfold all</button>
<span class="soft" id="told" role="status"></span></div>`;
}
