import type { Mark } from '../sequence/mark.ts';
import { durationText, type Row, type Sequence } from '../sequence/sequence.ts';
import { brief, count } from '../labels.ts';
import { code, type Html, html, scrolling, soft } from './html.ts';

/** An id without its driver, which the caption names: "#7", "#3/1". */
const ordinal = (id: string): string => (id.includes('#') ? id.slice(id.lastIndexOf('#')) : id);

function box({ kind, says, answer, tone, id, line, isEvidence }: Mark): Html {
  const place = [
    ...(line === undefined ? [] : [`line ${line}`]),
    ...(id === undefined ? [] : [ordinal(id)]),
  ];
  return html`<div class="mark ${kind}${isEvidence && ' flagged'}"><span>${brief(says, 160)}</span>${
    answer !== undefined && html` <span class="answer ${tone}">${brief(answer, 120)}</span>`
  } ${place.length > 0 && soft(place.join(' · '))}${isEvidence && html` <em>evidence</em>`}</div>`;
}

function momentRow(
  { marks }: Extract<Row, { kind: 'moment' }>,
  parties: readonly string[],
  time: string,
): Html {
  const cells = parties.map((party) => {
    const own = marks.find((mark) => mark.party === party);
    return own ? html`<td data-party="${party}">${box(own)}</td>` : html`<td></td>`;
  });
  return html`<tr><th scope="row">${time}</th>${cells}</tr>`;
}

const mismatchList = ({ mismatches = [] }: Mark): Html | false =>
  mismatches.length > 0 &&
  html`<dl class="values">${mismatches.map(
    ({ path, expected, actual }) =>
      html`<dt>${path === '' ? 'the whole' : code(path)}</dt>
<dd>expected ${code(brief(expected))}, was <code class="fail">${brief(actual)}</code></dd>`,
  )}</dl>`;

/** A time is shown once: what follows without one happened at the same moment. */
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

function rowOf(row: Row, parties: readonly string[], time: string): Html {
  const across = (name: string, head: string, body: Html): Html =>
    html`<tr class="${name}"><th scope="row">${head}</th><td colspan="${Math.max(1, parties.length)}">${body}</td></tr>`;
  switch (row.kind) {
    case 'moment':
      return momentRow(row, parties, time);
    case 'wait':
      return across('pause', '', html`<span>${durationText(row.ms)} pass</span>`);
    case 'left_out':
      return across('pause', '', html`<span>${leftOutWords(row)}</span>`);
    case 'across': {
      const { mark } = row;
      if (mark.kind !== 'failure') return across('note', time, box(mark));
      const failed = html`<strong>Failed</strong> ${mark.says}${mismatchList(mark)}`;
      return across('failed', time, failed);
    }
  }
}

/**
 * A sequence as a table: a lane for each party, time running down. The drawing is its own text, so nothing is lost where
 * styles are not seen, and a narrow screen folds the lanes into one.
 */
export function sequenceTable({ parties, rows, heartbeats }: Sequence, label: string): Html {
  if (rows.length === 0) return html`<p class="soft">Nothing was done.</p>`;
  const lanes = parties.length > 0 ? parties : ['Steps'];
  const table = html`<table class="lanes"><thead><tr>${['Time', ...lanes].map((lane) => html`<th scope="col">${lane}</th>`)}</tr></thead>
<tbody>${rows.map((row, place) => rowOf(row, parties, timeOf(row, rows[place - 1])))}</tbody></table>`;
  return html`${scrolling(`Sequence of ${label}`, table)}${
    heartbeats > 0 && html`<p class="soft">${count(heartbeats, 'heartbeat')} not drawn</p>`
  }`;
}
