import type { Mark } from '../sequence/mark.ts';
import { durationText, type Row, type Sequence } from '../sequence/sequence.ts';
import { brief, count } from '../labels.ts';
import { scrolling, soft, text } from './elements.ts';

/** An id without its driver, which the caption names: "#7", "#3/1". */
const ordinal = (id: string): string => (id.includes('#') ? id.slice(id.lastIndexOf('#')) : id);

const classes = (...names: readonly (string | undefined)[]): string =>
  names.filter((name) => name !== undefined && name !== '').join(' ');

function box(mark: Mark): string {
  const { kind, says, answer, tone, id, line, isEvidence } = mark;
  const told =
    answer === undefined
      ? ''
      : ` <span class="${classes('answer', tone)}">${text(brief(answer, 120))}</span>`;
  const place = [
    ...(line === undefined ? [] : [`line ${line}`]),
    ...(id === undefined ? [] : [ordinal(id)]),
  ];
  const where = place.length === 0 ? '' : ` ${soft(place.join(' · '))}`;
  const evidence = isEvidence ? ' <em>evidence</em>' : '';
  return `<div class="${classes('mark', kind, isEvidence ? 'flagged' : '')}"><span>${text(brief(says, 160))}</span>${told}${where}${evidence}</div>`;
}

function momentRow(
  row: Extract<Row, { kind: 'moment' }>,
  parties: readonly string[],
  time: string,
): string {
  const cells = parties.map((party) => {
    const own = row.marks.find((mark) => mark.party === party);
    return own ? `<td data-party="${text(party)}">${box(own)}</td>` : '<td></td>';
  });
  return `<tr><th scope="row">${time}</th>${cells.join('')}</tr>`;
}

function mismatchList({ mismatches = [] }: Mark): string {
  const lines = mismatches.map(
    ({ path, expected, actual }) =>
      `<dt>${path === '' ? 'the whole' : `<code>${text(path)}</code>`}</dt>
<dd>expected <code>${text(brief(expected))}</code>, was <code class="fail">${text(brief(actual))}</code></dd>`,
  );
  return lines.length === 0 ? '' : `<dl class="values">${lines.join('\n')}</dl>`;
}

/** A time is said once: what follows without one happened at the same moment. */
function timeOf(row: Row, former: Row | undefined): string {
  if (!('atMs' in row)) return '';
  const isSame = former && 'atMs' in former && former.atMs === row.atMs;
  return isSame ? '' : `+${durationText(row.atMs)}`;
}

function leftOutWords({ marks, ms, alike }: Extract<Row, { kind: 'left_out' }>): string {
  const within = ms > 0 ? ` in ${durationText(ms)}` : '';
  return alike
    ? `the same ${count(marks, 'more time')}${within}`
    : `${count(marks, 'more entry', 'more entries')}${within}, not drawn`;
}

function rowOf(row: Row, parties: readonly string[], time: string): string {
  const across = (name: string, head: string, body: string): string =>
    `<tr class="${name}"><th scope="row">${head}</th><td colspan="${Math.max(1, parties.length)}">${body}</td></tr>`;
  switch (row.kind) {
    case 'moment':
      return momentRow(row, parties, time);
    case 'wait':
      return across('pause', '', `<span>${durationText(row.ms)} pass</span>`);
    case 'left_out':
      return across('pause', '', `<span>${leftOutWords(row)}</span>`);
    case 'across':
      return row.mark.kind === 'failure'
        ? across(
            'failed',
            time,
            `<strong>Failed</strong> ${text(row.mark.says)}${mismatchList(row.mark)}`,
          )
        : across('note', time, box(row.mark));
  }
}

/**
 * A sequence as a table: a lane for each party, time running down. The drawing is its own text, so nothing is lost where
 * styles are not seen, and a narrow screen folds the lanes into one.
 */
export function sequenceTable(sequence: Sequence, label: string): string {
  const { parties, rows, heartbeats } = sequence;
  if (rows.length === 0) return '<p class="soft">Nothing was done.</p>';
  const lanes = parties.map((party) => `<th scope="col">${text(party)}</th>`).join('');
  const pulse =
    heartbeats > 0 ? `<p class="soft">${count(heartbeats, 'heartbeat')} not drawn</p>` : '';
  const table = `<table class="lanes"><thead><tr><th scope="col">Time</th>${lanes || '<th scope="col">Steps</th>'}</tr></thead>
<tbody>${rows.map((row, place) => rowOf(row, parties, timeOf(row, rows[place - 1]))).join('\n')}</tbody></table>`;
  return `${scrolling(`Sequence of ${label}`, table)}${pulse}`;
}
