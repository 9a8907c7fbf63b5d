import type { MaskedHistory } from '../../history/secrets/secrets.ts';
import {
  brokenChecks,
  countsByPart,
  endedSentence,
  nonZero,
  occurringVerdicts,
  openVerdicts,
  outcomeSentence,
  reasonCounts,
  reasonsFor,
} from '../summary.ts';
import { evidenceIndex, type EvidenceIndex } from '../evidence.ts';
import { brokenRequirementsText, causesText, evidenceText } from './text-causes.ts';
import { coverageSections, triedLines } from '../coverage-text.ts';
import { createPaint, indent, table, type Paint, wrapped } from './text-layout.ts';
import { loggable, printableValue } from './escape.ts';
import type { GapReport, RunReport } from '../../results/run-report.ts';
import { count, firstLine, isNumbered, partTitle, verdictLabels } from '../labels.ts';
import { changeGroups, newsSentence, type ChangeGroup, unwaivedLines } from '../changes.ts';

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
function waiversText(report: RunReport, paint: Paint): string {
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
function baselineText({ baseline }: RunReport, paint: Paint): string {
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

const inScope = (report: RunReport): string => {
  const { name, clock } = report.target;
  const { seed, wall_ms, target_ms } = report.run;
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  return (
    `${name} · ${clock.kind} clock · seed ${seed} · ` +
    `${seconds(target_ms)} of target time in ${seconds(wall_ms)}`
  );
};

function partTable(report: RunReport, paint: Paint): string {
  const columns = occurringVerdicts(report);
  const cell = (verdict: (typeof columns)[number], n: number): string =>
    n === 0 ? paint.dim('·') : paint.verdict(verdict, String(n));
  const { requirements: totals } = report.totals;
  const rows = countsByPart(report).map(({ part, counts }) => [
    isNumbered(part) ? part : '',
    partTitle(part),
    ...columns.map((verdict) => cell(verdict, counts[verdict])),
  ]);
  return table(
    ['', 'part', ...columns.map((verdict) => verdictLabels[verdict])],
    [...rows, ['', 'all', ...columns.map((verdict) => cell(verdict, totals[verdict]))]],
    paint,
  );
}

/** "id = answer", with a mark if another answer than the declared one was seen. */
const answerText = ({ id, declared, observed, consistent }: GapReport): string => {
  const answer = declared ?? observed ?? '?';
  const seen = observed !== undefined && observed !== answer ? ` (seen: ${observed})` : '';
  return `${id} = ${answer}${seen}${consistent ? '' : ' (not always)'}`;
};

function gapsText(report: RunReport, paint: Paint): string {
  const isKnown = ({ declared, observed }: GapReport) =>
    declared !== undefined || observed !== undefined;
  const known = report.gaps.filter(isKnown);
  const locked = report.gaps.filter((gap) => !isKnown(gap) && gap.unlocks > 0);
  if (report.gaps.length === 0) return '';
  return [
    paint.bold(`Gaps of the document: ${known.length} of ${report.gaps.length} answers known`),
    ...(known.length > 0 ? [indent(wrapped(known.map(answerText), 96), 2)] : []),
    ...locked.map(({ id, unlocks }) =>
      indent(`${id}: not known, keeps ${count(unlocks, 'requirement')} locked`, 2),
    ),
  ].join('\n');
}

const reasonsText = (report: RunReport, paint: Paint): string =>
  openVerdicts
    .flatMap((verdict) => {
      const reasons = reasonsFor(report, verdict);
      if (reasons.length === 0) return [];
      const label = verdictLabels[verdict];
      const lines = reasons.map((each) =>
        indent(`${firstLine(each.reason)}: ${reasonCounts(each)}`, 2),
      );
      return [
        [paint.bold(`${label.charAt(0).toUpperCase()}${label.slice(1)}`), ...lines].join('\n'),
      ];
    })
    .join('\n\n');

const coverageText = (report: RunReport, paint: Paint): string =>
  coverageSections(report)
    .map(([title, lines]) =>
      [paint.bold(title), ...lines.map((line) => indent(line, 2))].join('\n'),
    )
    .join('\n\n');

const faultsText = (report: RunReport, paint: Paint): string =>
  brokenChecks(report)
    .map(({ id, reason }) =>
      [
        `${paint.verdict('error', 'ERROR')}  ${paint.bold(id)}  ${paint.dim('our own fault')}`,
        indent(reason ?? 'no reason is known', 4),
      ].join('\n'),
    )
    .join('\n\n');

const outcomeText = (report: RunReport, paint: Paint): string =>
  `${'outcome'.padEnd(13)}${paint.outcome(report.outcome, outcomeSentence(report))}`;

/** Outcome and coverage: a reader needs no more if all is well. */
function headText(report: RunReport, paint: Paint): string {
  const line = (name: string, counts: RunReport['totals']['checks']): string => {
    const pieces = nonZero(counts).map(([verdict, n]) =>
      paint.verdict(verdict, `${n} ${verdictLabels[verdict]}`),
    );
    return `${name.padEnd(13)}${pieces.join(' · ') || 'none'}`;
  };
  const { requirements, checks } = report.totals;
  return [
    ...(report.preflight ?? []).map(
      (problem) => `${paint.verdict('error', 'preflight')}  ${problem}`,
    ),
    outcomeText(report, paint),
    line('requirements', requirements),
    line('checks', checks),
  ].join('\n');
}

/** The outcome once more: a terminal shows the end of a long text. */
const endText = (report: RunReport, paint: Paint): string =>
  [
    ...(report.notes ?? []).map((note) => `note  ${note}`),
    ...triedLines(report).map((text, index) => `${(index === 0 ? 'tried' : '').padEnd(13)}${text}`),
    outcomeText(report, paint),
  ].join('\n');

/** Status of each waiver, for a terminal. */
export const toWaiversText = (report: RunReport, colour: 'colour' | 'plain'): string =>
  loggable(waiversText(printableValue(report), createPaint(colour)));

/** A run for a terminal: outcome, probable causes, a table by part, evidence, gaps, reasons, and the outcome again. */
export function toText(
  given: RunReport,
  history: MaskedHistory | undefined,
  { colour }: { readonly colour: 'colour' | 'plain' },
): string {
  const paint = createPaint(colour);
  // Text from a target is escaped, so that it cannot control the terminal.
  const report = printableValue(given);
  const found = evidenceIndex(given, history);
  const evidenceItems: EvidenceIndex = { show: (ids) => printableValue(found.show(ids)) };
  const context = { report, given, history, evidenceItems, paint };
  const { ended_early } = report.run;
  const sections = [
    inScope(report),
    ended_early ? paint.verdict('error', endedSentence(ended_early)) : '',
    headText(report, paint),
    causesText(context),
    faultsText(report, paint),
    partTable(report, paint),
    brokenRequirementsText(context),
    evidenceText(context),
    gapsText(report, paint),
    reasonsText(report, paint),
    coverageText(report, paint),
    waiversText(report, paint),
    baselineText(report, paint),
    endText(report, paint),
  ];
  return loggable(`${sections.filter((section) => section !== '').join('\n\n')}\n`);
}
