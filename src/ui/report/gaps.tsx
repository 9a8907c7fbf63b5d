import { useState } from 'preact/hooks';
import { count } from '../../report/labels.ts';
import type { GapReport } from '../../results/run-report.ts';
import { Prose } from '../shared/prose.tsx';
import type { ReportData } from './data.ts';

type Kind = 'all' | 'differs' | 'unknown' | 'unlocks';

/**
 * Gaps of the document: the target's answers, the number of requirements that each unlocks, and the differences to the
 * reference.
 */
export function Gaps({ data }: { readonly data: ReportData }) {
  const { gaps } = data.report;
  const [kind, setKind] = useState<Kind>('all');
  const isKind: Readonly<Record<Kind, (gap: GapReport) => boolean>> = {
    all: () => true,
    differs: (gap) => differs(gap, data),
    unknown: (gap) => answerOf(gap) === undefined,
    unlocks: ({ unlocks }) => unlocks > 0,
  };
  const labels: Readonly<Record<Kind, string>> = {
    all: 'All',
    differs: 'Other than the reference',
    unknown: 'Not known',
    unlocks: 'Unlock requirements',
  };
  return (
    <>
      <div class="tools screen" role="group" aria-label="Which gaps">
        {(Object.keys(labels) as Kind[]).map((one) => (
          <button key={one} type="button" aria-pressed={one === kind} onClick={() => setKind(one)}>
            {labels[one]} {gaps.filter(isKind[one]).length}
          </button>
        ))}
      </div>
      <div class="scroll" role="region" tabIndex={0} aria-label="Table of gaps">
        <table class="gaps">
          <thead>
            <tr>
              <th scope="col">Question</th>
              <th scope="col">The target answers</th>
              <th scope="col">The reference</th>
              <th scope="col">Unlocks</th>
            </tr>
          </thead>
          <tbody>
            {gaps.filter(isKind[kind]).map((gap) => (
              <GapRow key={gap.id} gap={gap} data={data} />
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}

const answerOf = ({ declared, observed }: GapReport): string | undefined => observed ?? declared;

const differs = (gap: GapReport, { gaps }: ReportData): boolean => {
  const answer = answerOf(gap);
  return answer !== undefined && answer !== gaps[gap.id]?.reference;
};

function GapRow({ gap, data }: { readonly gap: GapReport; readonly data: ReportData }) {
  const { id, part, question, declared, observed, consistent } = gap;
  const { reference = '', unlocks = [] } = data.gaps[id] ?? {};
  const answer = answerOf(gap);
  return (
    <tr>
      <th scope="row">
        <Prose text={question} />
        <br />
        <code class="soft small">{id}</code> <span class="soft small">part {part}</span>
      </th>
      <td>
        {answer === undefined ? (
          <span class="soft">not known</span>
        ) : (
          <code class={differs(gap, data) ? 'differs' : ''}>{answer}</code>
        )}
        <span class="soft small">
          {declared !== undefined && observed === undefined && ' declared'}
          {declared !== undefined && observed !== undefined && declared !== observed && (
            <>
              {' '}
              declared <code>{declared}</code>
            </>
          )}
          {!consistent && ' not always'}
        </span>
      </td>
      <td>
        <code class="soft">{reference}</code>
        {differs(gap, data) && <span class="small"> differs</span>}
      </td>
      <td>
        {unlocks.length === 0 ? (
          <span class="soft">nothing</span>
        ) : (
          <details>
            <summary>
              {count(unlocks.length, 'requirement')}
              {answer === undefined && <span class="warn"> locked</span>}
            </summary>
            <ul class="plain-list">
              {unlocks.map((one) => (
                <li key={one}>
                  <code>{one}</code>
                </li>
              ))}
            </ul>
          </details>
        )}
      </td>
    </tr>
  );
}
