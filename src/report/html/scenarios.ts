import type { RunReport, ScenarioReport } from '../../results/run-report.ts';

import { sequenceOfScenario } from '../sequence/of-scenario.ts';
import type { PlacedRecord } from '../sequence/records-by-driver.ts';
import { durationText } from '../sequence/sequence.ts';
import { count, verdictOrder } from '../labels.ts';
import { soft, text, verdictMark } from './elements.ts';
import { sequenceTable } from './sequence.ts';

type Records = ReadonlyMap<string, readonly PlacedRecord[]>;

/** Where on the page each scenario is; by number, since a name may hold anything. */
export const scenarioAnchors = (report: RunReport): ReadonlyMap<string, string> =>
  new Map((report.scenarios ?? []).map(({ id }, place) => [id, `scenario-${place + 1}`]));

function scenarioBlock(
  scenario: ScenarioReport,
  anchor: string,
  report: RunReport,
  records: Records,
): string {
  const { id, verdict, drawn, timeline, took_ms } = scenario;
  const check = report.checks.find((one) => one.id === id);
  const size = [
    count(timeline.length, 'step'),
    ...(took_ms === undefined ? [] : [durationText(took_ms)]),
  ].join(', ');
  const lines = [
    ...(check && check.requirements.length > 0
      ? [`verifies ${check.requirements.map((one) => `<code>${text(one)}</code>`).join(', ')}`]
      : []),
    ...(drawn.length > 0 ? [`together, ${text(drawn.join('; '))}`] : []),
    ...(verdict !== 'pass' && verdict !== 'fail' && check?.reason !== undefined
      ? [text(check.reason)]
      : []),
  ];
  const said = lines.map((line) => `<p class="soft">${line}</p>`).join('\n');
  const sequence = sequenceTable(sequenceOfScenario(scenario, records.get(id) ?? []), id);
  const again =
    verdict === 'fail'
      ? `<p class="again">again: <code>assay play ${text(id.replace(/@\d+$/, ''))}.yaml --seed ${text(report.run.seed)}</code></p>`
      : '';
  const state = verdict === 'fail' || verdict === 'error' ? ' open' : '';
  return `<details class="card scenario ${verdict}" id="${anchor}" data-verdict="${verdict}"${state}><summary>${verdictMark(verdict)} <code>${text(id)}</code>
${text(check?.title ?? '')} ${soft(size)}</summary>
${said}${sequence}${again}</details>`;
}

/** Each scenario's sequence, those that did not pass first. */
export function scenarioBlocks(report: RunReport, records: Records): string {
  const anchors = scenarioAnchors(report);
  return (report.scenarios ?? [])
    .toSorted(
      (one, other) => verdictOrder.indexOf(one.verdict) - verdictOrder.indexOf(other.verdict),
    )
    .map((scenario) => scenarioBlock(scenario, anchors.get(scenario.id) ?? '', report, records))
    .join('\n');
}
