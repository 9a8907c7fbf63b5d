import { useMemo } from 'preact/hooks';
import { count, verdictOrder } from '../../report/labels.ts';
import { replayWords, shellWord } from '../../report/replay-words.ts';
import { sequenceOfScenario } from '../../report/sequence/of-scenario.ts';
import { durationText } from '../../report/sequence/sequence.ts';
import type { ScenarioReport } from '../../results/run-report.ts';
import { Copyable } from '../shared/copyable.tsx';
import { VerdictMark } from '../shared/verdict-mark.tsx';
import type { ReportData } from './data.ts';
import { Folding } from './folding.tsx';
import { Codes } from './markup.tsx';
import { SequenceTable } from './sequence-table.tsx';
import type { LoadedHistory } from './timeline/load.ts';
import type { Focus } from './timeline/timeline.tsx';

interface ScenariosProps {
  readonly data: ReportData;
  readonly history: LoadedHistory | undefined;
  readonly onFocus: (focus: Focus) => void;
}

const isOpen = ({ verdict }: ScenarioReport): boolean => verdict === 'fail' || verdict === 'error';

/** All scenarios that were played, those that did not pass first. */
export function Scenarios(props: ScenariosProps) {
  const { report } = props.data;
  const sorted = (report.scenarios ?? []).toSorted(
    (one, other) => verdictOrder.indexOf(one.verdict) - verdictOrder.indexOf(other.verdict),
  );
  const failed = sorted.filter(isOpen).length;
  return (
    <>
      {sorted.map((one, place) => {
        const check = report.checks.find(({ id }) => id === one.id);
        const steps = count(one.timeline.length, 'step');
        return (
          <Folding
            key={one.id}
            id={`scenario-${place + 1}`}
            name={`card ${one.verdict}-edge`}
            startsOpen={isOpen(one) && place < 5}
            print={isOpen(one) || failed === 0 ? 'open' : 'as it is'}
            head={
              <>
                <VerdictMark verdict={one.verdict} />
                <h3 class="id">
                  <code>{one.id}</code>
                </h3>
                <span class="summary">{check?.title}</span>
                <span class="soft small">
                  {steps}
                  {one.took_ms !== undefined && `, ${durationText(one.took_ms)}`}
                </span>
              </>
            }
          >
            {() => <Scenario scenario={one} {...props} />}
          </Folding>
        );
      })}
    </>
  );
}

function Scenario({
  scenario,
  data,
  history,
  onFocus,
}: ScenariosProps & { readonly scenario: ScenarioReport }) {
  const { report } = data;
  const { id, verdict, drawn } = scenario;
  const check = report.checks.find((one) => one.id === id);
  const sequence = useMemo(
    () => sequenceOfScenario(scenario, history?.drivenBy(id) ?? []),
    [scenario, history, id],
  );
  const isDecided = verdict === 'pass' || verdict === 'fail';
  const file = shellWord(`${id.replace(/@\d+$/, '')}.yaml`);
  return (
    <>
      {check && check.requirements.length > 0 && (
        <p class="soft small">
          verifies <Codes ids={check.requirements} />
        </p>
      )}
      {drawn.length > 0 && <p class="soft small">together, {drawn.join('; ')}</p>}
      {!isDecided && check?.reason !== undefined && (
        <p>{[check.reason, ...(check.seen ?? [])].join(' · ')}</p>
      )}
      <p class="screen">
        <button type="button" onClick={() => onFocus({ by: id })}>
          Show it on the timeline
        </button>
      </p>
      <SequenceTable
        sequence={sequence}
        label={`Sequence of ${id}`}
        onShow={(entry) => onFocus({ by: id, entry })}
      />
      <h4>See it again</h4>
      <Copyable text={`assay play ${file} ${replayWords(report)}`} what={`the command of ${id}`} />
    </>
  );
}
