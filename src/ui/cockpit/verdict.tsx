import type { VerdictShown } from '../../cockpit/view/messages.ts';
import { Panel } from './panel.tsx';

const shown = (value: unknown): string => {
  const text = JSON.stringify(value) ?? '';
  return text.length > 300 ? `${text.slice(0, 300)}…` : text;
};

interface VerdictProps {
  readonly verdict: VerdictShown;
  readonly count: number;
  readonly onShow: (id: string) => void;
}

/** Verdicts of the rules on the history so far. */
export function Verdict({ verdict, count, onShow }: VerdictProps) {
  const { findings, exercised, records, more } = verdict;
  const failed = findings.filter(({ outcome }) => outcome === 'fail').length;
  return (
    <Panel id="verdict" title="Judged as it passes" name="verdict-panel">
      <p>
        <span class={`verdict ${failed > 0 ? 'fail' : 'pass'}`}>
          {failed > 0 ? `${failed} violated` : 'nothing violated'}
        </span>{' '}
        <span class="soft small">
          {exercised} requirements exercised, {Math.min(records, count)} of {count} messages judged
        </span>
      </p>
      <ul class="bare stack findings">
        {findings.map(
          ({ outcome, requirement, part, message, expected, actual, evidence }, index) => (
            <li key={index}>
              <p>
                <span class={`verdict ${outcome}`}>{outcome}</span> <code>{requirement}</code>{' '}
                {part !== '' && <span class="soft small">part {part}</span>}
              </p>
              <p>{message}</p>
              {expected !== undefined && <p class="small soft">expected {shown(expected)}</p>}
              {actual !== undefined && <p class="small soft">seen {shown(actual)}</p>}
              <p class="row">
                {evidence.slice(0, 4).map((id) => (
                  <button key={id} type="button" class="plain small" onClick={() => onShow(id)}>
                    {id}
                  </button>
                ))}
              </p>
            </li>
          ),
        )}
      </ul>
      {more > 0 && <p class="soft small">and {more} more</p>}
    </Panel>
  );
}
