import type { ComponentChildren } from 'preact';
import { printable } from '../../report/formats/escape.ts';
import { brief, count } from '../../report/labels.ts';
import type { Mark } from '../../report/sequence/mark.ts';
import { durationText, type Row, type Sequence } from '../../report/sequence/sequence.ts';
import { Definitions, Table } from './markup.tsx';

interface SequenceTableProps {
  readonly sequence: Sequence;
  readonly label: string;
  /** Shows an exchange or event on the timeline. */
  readonly onShow: (id: string) => void;
}

/** A short sequence as a table: a lane for each party, with time downwards. It is printed unchanged. */
export function SequenceTable({ sequence, label, onShow }: SequenceTableProps) {
  const { parties, rows, heartbeats } = sequence;
  if (rows.length === 0) return <p class="soft">Nothing was done.</p>;
  const lanes = parties.length > 0 ? parties : ['Steps'];
  return (
    <>
      <Table label={label} name="sequence" heads={['Time', ...lanes].map(printable)}>
        <tbody>
          {rows.map((row, place) => (
            <SequenceRow
              key={place}
              row={row}
              parties={lanes}
              time={timeOf(row, rows[place - 1])}
              onShow={onShow}
            />
          ))}
        </tbody>
      </Table>
      {heartbeats > 0 && <p class="soft small">{count(heartbeats, 'heartbeat')} not drawn</p>}
    </>
  );
}

/** A time is shown once: a row without one happened at the same moment. */
function timeOf(row: Row, former: Row | undefined): string {
  if (!('atMs' in row)) return '';
  const isSame = former && 'atMs' in former && former.atMs === row.atMs;
  return isSame ? '' : `+${durationText(row.atMs)}`;
}

interface RowProps extends Pick<SequenceTableProps, 'onShow'> {
  readonly row: Row;
  readonly parties: readonly string[];
  readonly time: string;
}

function SequenceRow({ row, parties, time, onShow }: RowProps) {
  switch (row.kind) {
    case 'moment':
      return (
        <tr>
          <When time={time} />
          {parties.map((party) => {
            const own = row.marks.find((mark) => mark.party === party);
            return (
              <td key={party} data-party={own && printable(party)}>
                {own && <Box mark={own} onShow={onShow} />}
              </td>
            );
          })}
        </tr>
      );
    case 'wait':
      return across('pause', `${durationText(row.ms)} pass`);
    case 'left_out':
      return across('pause', leftOutWords(row));
    case 'across':
      if (row.mark.kind !== 'failure')
        return across('note', <Box mark={row.mark} onShow={onShow} />);
      return across(
        'failed',
        <>
          <strong>Failed</strong> {printable(row.mark.says)}
          <Mismatches mark={row.mark} />
        </>,
      );
  }

  function across(name: string, content: ComponentChildren) {
    return (
      <tr class={name}>
        <When time={time} />
        <td colSpan={Math.max(1, parties.length)}>{content}</td>
      </tr>
    );
  }
}

const When = ({ time }: { readonly time: string }) =>
  time === '' ? (
    <td class="when" />
  ) : (
    <th scope="row" class="small">
      {time}
    </th>
  );

function leftOutWords({ marks, ms, alike }: Extract<Row, { kind: 'left_out' }>): string {
  const within = ms > 0 ? ` in ${durationText(ms)}` : '';
  return alike
    ? `the same ${count(marks, 'more time')}${within}`
    : `${count(marks, 'more entry', 'more entries')}${within}, not drawn`;
}

/** An id without its driver, which the label names: "#7", "#3/1". */
const ordinal = (id: string): string => (id.includes('#') ? id.slice(id.lastIndexOf('#')) : id);

function Box({ mark, onShow }: { readonly mark: Mark; readonly onShow: (id: string) => void }) {
  const { kind, says, answer, tone, id, line, isEvidence } = mark;
  return (
    <div class={`mark ${kind}${isEvidence ? ' flagged' : ''}`}>
      <span class="mono">{printable(brief(says, 160))}</span>
      {answer !== undefined && (
        <span class={`mono tone-${tone}`}> {printable(brief(answer, 120))}</span>
      )}{' '}
      {line !== undefined && <span class="soft small">line {line} </span>}
      {id !== undefined && (
        <button type="button" class="plain small" onClick={() => onShow(id)}>
          {printable(ordinal(id))}
          <span class="unseen"> on the timeline</span>
        </button>
      )}
      {isEvidence && <em class="small"> evidence</em>}
    </div>
  );
}

function Mismatches({ mark: { mismatches = [] } }: { readonly mark: Mark }) {
  if (mismatches.length === 0) return null;
  return (
    <Definitions
      name="values small"
      rows={mismatches.map(({ path, expected, actual }) => [
        path === '' ? 'the whole' : <code>{printable(path)}</code>,
        <>
          expected <code>{printable(brief(expected))}</code>, was{' '}
          <code class="fail">{printable(brief(actual))}</code>
        </>,
      ])}
    />
  );
}
