import type { RunReport } from '../../results/run-report.ts';
import { type ChangeGroup, changeGroups, newsSentence, unwaivedLines } from '../changes.ts';
import { count } from '../labels.ts';
import { indent, type Paint } from './text-layout.ts';

/** Lines of each group that a terminal shows; report.json has all. */
const most = 12;

function shownLines(lines: ChangeGroup['lines'], paint: Paint): string[] {
  const shown = lines.slice(0, most).map(([id, what]) => `${paint.bold(id)}${what && `: ${what}`}`);
  const more = lines.length - shown.length;
  return [
    ...shown,
    ...(more > 0 ? [paint.dim(`and ${count(more, 'more', 'more')} in report.json`)] : []),
  ];
}

/** Status of each waiver, and failures that no waiver covers. */
export function waiversText(report: RunReport, paint: Paint): string {
  const { waivers = [] } = report;
  if (waivers.length === 0) return '';
  const lines = waivers.map(({ id, status, reason, problem }) => {
    const word = paint.verdict(status === 'broken' ? 'fail' : 'pass', status);
    return indent(`${word}  ${id}: ${problem ?? reason}`, 2);
  });
  const left = shownLines(unwaivedLines(report), paint).map((line) => indent(line, 2));
  return [
    paint.bold('Waivers'),
    ...lines,
    ...(left.length > 0 ? [paint.bold('Not waived'), ...left] : []),
  ].join('\n');
}

/** Changes since the baseline. */
export function baselineText({ baseline }: RunReport, paint: Paint): string {
  if (!baseline) return '';
  const { file, finished_at, notes = [] } = baseline;
  return [
    `${paint.bold(`Since ${file}`)}, of ${finished_at}: ${newsSentence(baseline)}`,
    ...notes.map((note) => indent(`note  ${note}`, 2)),
    ...changeGroups(baseline).flatMap(({ title, lines }) => [
      indent(`${title}: ${lines.length}`, 2),
      ...shownLines(lines, paint).map((line) => indent(line, 4)),
    ]),
  ].join('\n');
}
