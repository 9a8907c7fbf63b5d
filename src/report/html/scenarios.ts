import type { RunReport, ScenarioReport } from '../../results/run-report.ts';
import { replayWords, shellWord } from '../replay-words.ts';
import { sequenceOfScenario } from '../sequence/of-scenario.ts';
import type { PlacedRecord } from '../sequence/records-by-driver.ts';
import { durationText } from '../sequence/sequence.ts';
import { count, verdictOrder } from '../labels.ts';
import { code, Html, html, soft, verdictMark } from './html.ts';
import { sequenceTable } from './sequence.ts';

type Records = ReadonlyMap<string, readonly PlacedRecord[]>;

/** Where on the page each scenario is; by number, since a name may hold anything. */
export const scenarioAnchors = (report: RunReport): ReadonlyMap<string, string> =>
  new Map((report.scenarios ?? []).map(({ id }, place) => [id, `scenario-${place + 1}`]));

function scenarioBlock(
  scenario: ScenarioReport,
  anchor: string | undefined,
  report: RunReport,
  records: Records,
): Html {
  const { id, verdict, drawn, timeline, took_ms } = scenario;
  const check = report.checks.find((one) => one.id === id);
  const steps = count(timeline.length, 'step');
  const size = took_ms === undefined ? steps : `${steps}, ${durationText(took_ms)}`;
  const isDecided = verdict === 'pass' || verdict === 'fail';
  const verified = check?.requirements ?? [];
  const isOpen = verdict === 'fail' || verdict === 'error';
  return html`<details class="card scenario ${verdict}" id="${anchor}" data-verdict="${verdict}"${isOpen && new Html(' open')}><summary>${verdictMark(verdict)} ${code(id)}
${check?.title} ${soft(size)}</summary>
${verified.length > 0 && html`<p class="soft">verifies ${verified.map((one, place) => html`${place > 0 && ', '}${code(one)}`)}</p>`}
${drawn.length > 0 && html`<p class="soft">together, ${drawn.join('; ')}</p>`}
${!isDecided && check?.reason !== undefined && html`<p class="soft">${check.reason}</p>`}
${sequenceTable(sequenceOfScenario(scenario, records.get(id) ?? []), id)}${
  verdict === 'fail' &&
  html`<p class="again">again: <code>assay play ${shellWord(`${id.replace(/@\d+$/, '')}.yaml`)} ${replayWords(report)}</code></p>`
}</details>`;
}

/** Each scenario's sequence, those that did not pass first. */
export function scenarioBlocks(report: RunReport, records: Records): readonly Html[] {
  const anchors = scenarioAnchors(report);
  return (report.scenarios ?? [])
    .toSorted(
      (one, other) => verdictOrder.indexOf(one.verdict) - verdictOrder.indexOf(other.verdict),
    )
    .map((scenario) => scenarioBlock(scenario, anchors.get(scenario.id), report, records));
}
