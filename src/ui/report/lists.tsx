import { verdictLabels } from '../../report/labels.ts';
import type { CheckReport } from '../../results/run-report.ts';
import { Prose } from '../shared/prose.tsx';
import { VerdictMark } from '../shared/verdict-mark.tsx';
import type { ReportData } from './data.ts';
import { Folding } from './folding.tsx';
import { Bullets, Table } from './markup.tsx';
import { Finding } from './requirements.tsx';
import type { Focus } from './timeline/timeline.tsx';

/** Coverage: the judged part, and the reasons why the rest was not judged. */
export const Coverage = ({ data: { coverage, open } }: { readonly data: ReportData }) => (
  <div class="stack coverage small">
    {coverage.map(([title, lines]) => (
      <div key={title}>
        <h3>{title}</h3>
        <Bullets lines={lines.map((line) => prose(line))} />
      </div>
    ))}
    {open.map(({ verdict, reasons }) => (
      <div key={verdict}>
        <h3 class={verdict}>{verdictLabels[verdict]}</h3>
        <Bullets lines={reasons.map(([reason, counts]) => prose(reason, counts))} />
      </div>
    ))}
  </div>
);

const prose = (text: string, more?: string) => (
  <>
    <Prose text={text} /> {more !== undefined && <span class="soft small">{more}</span>}
  </>
);

/** Differences from an earlier run. */
export function Changes({ data: { report, changes } }: { readonly data: ReportData }) {
  const { baseline } = report;
  if (!baseline || !changes) return null;
  return (
    <>
      <p>
        <code>{baseline.file}</code> <span class="soft">of {baseline.finished_at}</span>:{' '}
        {changes.news}
      </p>
      {baseline.notes?.map((note) => (
        <p key={note}>{note}</p>
      ))}
      {changes.groups.map(({ title, lines }) => (
        <div key={title}>
          <h3>
            {title} <span class="soft small">{lines.length}</span>
          </h3>
          <Lines lines={lines} />
        </div>
      ))}
    </>
  );
}

/** Declared known failures, and failures that are not declared. */
export const Waivers = ({ data: { report, unwaived } }: { readonly data: ReportData }) => (
  <>
    <ul>
      {report.waivers?.map(({ id, status, reason, problem }) => (
        <li key={id} class={status === 'broken' ? 'fail' : ''}>
          <code>{id}</code> {status}: {problem ?? reason}
        </li>
      ))}
    </ul>
    {unwaived.length > 0 && (
      <>
        <h3>Not waived</h3>
        <Lines lines={unwaived} />
      </>
    )}
  </>
);

const Lines = ({ lines }: { readonly lines: ReportData['unwaived'] }) => (
  <Bullets
    lines={lines.map(([id, what]) => (
      <>
        <code>{id}</code> {what}
      </>
    ))}
  />
);

interface BesideProps {
  readonly data: ReportData;
  readonly onFocus: (focus: Focus) => void;
}

/** Failures without a requirement: a broken check, which is our fault, or a check that verifies nothing. */
export const BesideCauses = ({ data: { report, broken, unattributed }, onFocus }: BesideProps) => (
  <>
    {[...report.checks, ...report.rules]
      .filter(({ id }) => broken.includes(id) || unattributed.includes(id))
      .map((source) => (
        <div key={source.id} class={`card ${source.verdict}-edge`}>
          <p>
            <VerdictMark verdict={source.verdict} waived={source.waived} /> <code>{source.id}</code>{' '}
            {source.title}
          </p>
          {source.verdict === 'error' && <p>The check itself broke: {source.reason}</p>}
          {source.failures.slice(0, 4).map((failure, place) => (
            <Finding key={place} source={source.id} failure={failure} onFocus={onFocus} />
          ))}
        </div>
      ))}
  </>
);

/** Checks and rules, which judged the requirements. */
export const Judges = ({ data: { report } }: { readonly data: ReportData }) => (
  <>
    {judgeTable('Checks', report.checks)}
    {judgeTable('Rules', report.rules)}
  </>
);

const judgeTable = (title: string, some: readonly CheckReport[]) =>
  some.length > 0 && (
    <Folding
      head={
        <>
          <h3>{title}</h3> <span class="soft small">{some.length}</span>
        </>
      }
    >
      {() => (
        <Table label={title}>
          <tbody>
            {some.map(({ id, title: says, verdict, waived, reason }) => (
              <tr key={id}>
                <td>
                  <VerdictMark verdict={verdict} waived={waived} />
                </td>
                <th scope="row">
                  <code>{id}</code>
                </th>
                <td>
                  {says} {reason !== undefined && <span class="soft">{reason}</span>}
                </td>
              </tr>
            ))}
          </tbody>
        </Table>
      )}
    </Folding>
  );
