import type { RunReport } from '../../results/run-report.ts';
import { changeGroups, newsSentence, unwaivedLines } from '../changes.ts';
import { code, type Html, html, list, soft } from './html.ts';

const line = ([id, what]: readonly [string, string]): Html => html`${code(id)} ${what}`;

/** What became of each waiver, and what fails beside them. */
export function waiverList(report: RunReport): Html | false {
  const { waivers = [] } = report;
  if (waivers.length === 0) return false;
  const left = unwaivedLines(report);
  return html`<ul>${waivers.map(
    ({ id, status, reason, problem }) =>
      html`<li class="${status === 'broken' && 'fail'}">${code(id)} ${status}: ${problem ?? reason}</li>`,
  )}</ul>${left.length > 0 && html`<h3>Not waived</h3>${list(left.map(line))}`}`;
}

/** What changed since the baseline, or since the report that it was compared with. */
export function baselineBlock({ baseline }: RunReport): Html | false {
  if (!baseline) return false;
  const { file, finished_at, notes = [] } = baseline;
  return html`<p>${code(file)} ${soft(`of ${finished_at}`)}: ${newsSentence(baseline)}</p>
${notes.length > 0 && list(notes)}${changeGroups(baseline).map(
  ({ title, lines }) =>
    html`<h3>${title} ${soft(String(lines.length))}</h3>${list(lines.map(line))}`,
)}`;
}
