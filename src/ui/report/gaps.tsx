import { useState } from 'preact/hooks';
import { count } from '../../report/labels.ts';
import type { GapReport } from '../../results/run-report.ts';
import { Prose } from '../shared/prose.tsx';
import type { ReportData } from './data.ts';
import { Table } from './markup.tsx';

/** Filters of the gaps, with their labels. */
const kinds = {
  All: () => true,
  'Other than the reference': (gap, data) => differs(gap, data),
  'Not known': (gap) => answerOf(gap) === undefined,
  'Unlock requirements': ({ unlocks }) => unlocks > 0,
} as const satisfies Readonly<Record<string, (gap: GapReport, data: ReportData) => boolean>>;
type Kind = keyof typeof kinds;

/**
 * Gaps of the document: the target's answers, the number of requirements that each unlocks, and the differences to the
 * reference.
 */
export function Gaps({ data }: { readonly data: ReportData }) {
  const { gaps } = data.report;
  const [kind, setKind] = useState<Kind>('All');
  const ofKind = (one: Kind) => gaps.filter((gap) => kinds[one](gap, data));
  return (
    <>
      <div class="row tools small soft screen" role="group" aria-label="Which gaps">
        {(Object.keys(kinds) as Kind[]).map((one) => (
          <button key={one} type="button" aria-pressed={one === kind} onClick={() => setKind(one)}>
            {one} {ofKind(one).length}
          </button>
        ))}
      </div>
      <Table
        label="Table of gaps"
        name="gaps"
        heads={['Question', 'The target answers', 'The reference', 'Unlocks']}
      >
        <tbody>
          {ofKind(kind).map((gap) => (
            <GapRow key={gap.id} gap={gap} data={data} />
          ))}
        </tbody>
      </Table>
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
            <ul class="bare plain-list small">
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
