import { formatDuration, renderSourceError } from '../yaml/index.ts';
import type { Scenario } from './language/load.ts';
import { type Plan, planOf } from './plan.ts';
import type { Mismatch } from './run/halt.ts';
import type { Played } from './run/play.ts';
import type { LogLine } from './run/session.ts';

type Failure = Played['failures'][number];

/** Maximum number of log lines in a failure; earlier lines rarely explain it. */
const shownLines = 12;

/** A failure with its place in the file: the expected and actual values, and the steps before it. */
export function renderFailure(
  failure: Failure,
  textOf: (file: string) => string | undefined,
): string {
  const lines = [
    renderSourceError({ ...failure.at, message: failure.message }, textOf(failure.at.file)),
  ];
  for (const mismatch of failure.mismatches) lines.push(...mismatchLines(mismatch));
  for (const note of failure.notes ?? []) lines.push(`  ${note}`);
  const all = folded(failure.before);
  const before = all.slice(-shownLines);
  if (before.length > 0) {
    const left = all.length - before.length;
    lines.push(left > 0 ? `  before it (after ${left} more):` : '  before it:');
    lines.push(...before.map((line) => `    ${logLine(line)}`));
  }
  return lines.join('\n');
}

/** A log line, and how often it came in a row, if more than once. */
interface FoldedLine extends LogLine {
  readonly again?: { readonly times: number; readonly untilMs: number };
}

/** Log lines with those of an `eventually` as one: its attempts would hide the steps before it. */
function folded(lines: readonly LogLine[]): readonly FoldedLine[] {
  const kept: FoldedLine[] = [];
  for (const line of lines) {
    const last = kept.at(-1);
    const isAgain =
      last &&
      line.line !== undefined &&
      (['party', 'says', 'outcome', 'line'] as const).every((key) => last[key] === line[key]);
    if (!isAgain) kept.push(line);
    else {
      const again = { times: (last.again?.times ?? 1) + 1, untilMs: line.atMs };
      kept[kept.length - 1] = { ...last, again };
    }
  }
  return kept;
}

function mismatchLines({ at, path, expected, actual }: Mismatch): string[] {
  const where = path === '' ? 'the whole' : path;
  return [`  ${where} (line ${at.line})`, `    expected: ${expected}`, `    actual:   ${actual}`];
}

function logLine({ atMs, party, says, outcome, again }: FoldedLine): string {
  const moment = `+${formatDuration(atMs)}`.padEnd(10);
  const did = party === undefined ? says : `${party}: ${says}`;
  const line = outcome === undefined ? did : `${did.padEnd(32)} ${outcome}`;
  const often = again && `, ${again.times} times until +${formatDuration(again.untilMs)}`;
  return `${moment} ${line}${often ?? ''}`;
}

/** Description of the plan, for a dry run. */
export function renderPlan(scenario: Scenario): string {
  const plan = planOf(scenario);
  const lines = [
    `${scenario.id}: ${scenario.title}`,
    `  parties   ${plan.parties.join(', ') || 'none'}`,
  ];
  lines.push(`  waits     ${waitWords(plan)}`);
  if (scenario.draft.drivenClock) lines.push('  needs     a clock that is driven');
  if (scenario.draft.alone) lines.push('  needs     a target to itself');
  if (plan.faults.length > 0)
    lines.push(`  faults    ${plan.faults.map(({ says }) => says).join(', ')}`);
  const gaps = scenario.draft.gaps.map(({ key, value }) => `${key} ${value.value}`);
  if (gaps.length > 0) lines.push(`  gaps      ${gaps.join(', ')}`);
  lines.push(
    `  verifies  ${scenario.draft.verifies.map(({ value }) => value).join(', ') || 'what the rules see'}`,
  );
  return lines.join('\n');
}

function waitWords({ longestWaitMs, waitMs, openWaits }: Plan): string {
  const written =
    waitMs > 0
      ? `${formatDuration(waitMs)}, at most ${formatDuration(longestWaitMs)} at a time`
      : '';
  const open = openWaits.length > 0 ? `until ${openWaits.join(', ')}` : '';
  return [written, open].filter((words) => words !== '').join('; ') || 'none';
}
