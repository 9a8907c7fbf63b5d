import type { EarlierRun } from '../../report/html/page-data.ts';
import { count } from '../../report/labels.ts';
import { Prose } from '../shared/prose.tsx';
import { VerdictMark } from '../shared/verdict-mark.tsx';
import type { ReportData } from './data.ts';

interface RunStripProps {
  readonly runs: readonly EarlierRun[];
  readonly id: string;
}

/** Verdict of one requirement in each run, in the order of time. */
export const RunStrip = ({ runs, id }: RunStripProps) => (
  <ol class="run-strip" aria-label="In each run">
    {runs.map((run) => {
      const verdict = run.verdicts[id];
      return (
        <li key={run.file + run.finished_at}>
          {verdict ? <VerdictMark verdict={verdict} /> : <span class="soft">not there</span>}
          <span class="soft small">{run.finished_at.slice(0, 16).replace('T', ' ')}</span>
        </li>
      );
    })}
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
      <div class="scroll" role="region" tabIndex={0} aria-label="Table of runs">
        <table>
          <thead>
            <tr>
              <th scope="col">Requirement</th>
              {runs.map(({ file, finished_at, outcome }) => (
                <th key={file + finished_at} scope="col">
                  {file}
                  <br />
                  <span class="soft small">
                    {finished_at.slice(0, 16).replace('T', ' ')}, {outcome}
                  </span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {changed.map(({ id, summary }) => (
              <tr key={id}>
                <th scope="row">
                  <code>{id}</code>{' '}
                  <span class="soft small">
                    <Prose text={summary} />
                  </span>
                </th>
                {runs.map(({ file, finished_at, verdicts }) => {
                  const verdict = verdicts[id];
                  return (
                    <td key={file + finished_at}>
                      {verdict ? (
                        <VerdictMark verdict={verdict} />
                      ) : (
                        <span class="soft">not there</span>
                      )}
                    </td>
                  );
                })}
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
}
