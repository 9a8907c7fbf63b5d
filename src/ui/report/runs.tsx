import type { EarlierRun } from '../../report/html/page-data.ts';
import { count } from '../../report/labels.ts';
import { Prose } from '../shared/prose.tsx';
import type { ReportData } from './data.ts';
import { RunVerdict, Table } from './markup.tsx';

/** `2026-01-01 00:01`. */
const endOf = ({ finished_at }: EarlierRun): string => finished_at.slice(0, 16).replace('T', ' ');

interface RunStripProps {
  readonly runs: readonly EarlierRun[];
  readonly id: string;
}

/** Verdict of one requirement in each run, in the order of time. */
export const RunStrip = ({ runs, id }: RunStripProps) => (
  <ol class="row bare run-strip" aria-label="In each run">
    {runs.map((run) => (
      <li key={run.file + run.finished_at}>
        <RunVerdict verdict={run.verdicts[id]} />
        <span class="soft small">{endOf(run)}</span>
      </li>
    ))}
  </ol>
);

/** Requirements with different verdicts in the runs. */
export function Runs({ data: { runs, report } }: { readonly data: ReportData }) {
  const changed = report.requirements.filter(
    ({ id }) => new Set(runs.map(({ verdicts }) => verdicts[id])).size > 1,
  );
  return (
    <>
      <p>
        {count(runs.length, 'run')}; {count(changed.length, 'requirement')} did not come to the same
        in all of them.
      </p>
      <Table
        label="Table of runs"
        heads={[
          'Requirement',
          ...runs.map((run) => (
            <>
              {run.file}
              <br />
              <span class="soft small">
                {endOf(run)}, {run.outcome}
              </span>
            </>
          )),
        ]}
      >
        <tbody>
          {changed.map(({ id, summary }) => (
            <tr key={id}>
              <th scope="row">
                <code>{id}</code>{' '}
                <span class="soft small">
                  <Prose text={summary} />
                </span>
              </th>
              {runs.map(({ file, finished_at, verdicts }) => (
                <td key={file + finished_at}>
                  <RunVerdict verdict={verdicts[id]} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </Table>
    </>
  );
}
