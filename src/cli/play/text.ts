import type { SourceReport } from '../../results/source-report.ts';
import { loggable, printable } from '../../report/index.ts';
import { count as counted } from '../../report/labels.ts';
import { renderFailure } from '../../scenario/render.ts';
import type { Played, PlayVerdict } from '../../scenario/run/play.ts';
import { formatDuration } from '../../yaml/index.ts';

const words: Readonly<Record<PlayVerdict, string>> = {
  pass: 'pass',
  fail: 'FAIL',
  inconclusive: 'inconclusive',
  out_of_scope: 'out of scope',
  error: 'ERROR',
};

/** Escapes text of a target, so that a terminal or a CI runner shows it and never executes it. */
const harmless = (text: string): string => loggable(printable(text));

/** Line of one scenario, its drawn values, and its failures. */
export function playedText(played: Played, texts: ReadonlyMap<string, string>): string {
  const { scenario, verdict, reason, drawn, failures } = played;
  const lines = [`${words[verdict].padEnd(12)}  ${scenario.id}: ${scenario.title}`];
  if (reason !== undefined) lines.push(`              ${reason}`);
  if (drawn.length > 0) lines.push(`              together, ${drawn.join('; ')}`);
  for (const failure of failures) {
    lines.push(
      '',
      renderFailure(failure, (file) => texts.get(file)),
    );
  }
  if (failures.length > 0) lines.push('');
  return harmless(lines.join('\n'));
}

/** The rules that failed or broke. */
export function rulesText(rules: readonly SourceReport[]): string[] {
  return rules.flatMap(({ id, title, verdict, reason, failures }) => {
    const bad = failures.filter(({ outcome }) => outcome === 'fail');
    if (verdict === 'error') return [`ERROR         rule ${id}: ${reason ?? ''}`];
    if (bad.length === 0) return [];
    const shown = bad.map(
      ({ message, exchanges, requirement }) =>
        `    ${requirement === undefined ? '' : `${requirement}: `}${message} (${exchanges.slice(0, 3).join(', ')})`,
    );
    return [`FAIL          rule ${id}: ${title}`, ...shown].map(harmless);
  });
}

/** Maximum number of failed scenarios that are named at the end. */
const mostNamed = 20;

/** @param waived Ids of scenarios that failed as a waiver says. */
export function totalsText(
  played: readonly Played[],
  wallMs: number,
  replay: (scenario: string) => string,
  waived: ReadonlySet<string> = new Set(),
): string {
  const count = (verdict: PlayVerdict): number =>
    played.filter((one) => one.verdict === verdict).length;
  const ms = played.reduce((sum, one) => sum + one.targetMs, 0);
  const counts = (Object.keys(words) as PlayVerdict[])
    .filter((verdict) => verdict === 'pass' || verdict === 'fail' || count(verdict) > 0)
    .map((verdict) => `${count(verdict)} ${words[verdict].toLowerCase()}`);
  if (waived.size > 0) counts.push(`${waived.size} of the failures waived`);
  const lines = [
    `\n${counted(played.length, 'scenario')}: ${counts.join(', ')}`,
    `${formatDuration(ms)} of the target's time in ${(wallMs / 1000).toFixed(1)} s`,
  ];
  const failed = played.filter(
    ({ verdict, scenario }) => verdict === 'fail' && !waived.has(scenario.id),
  );
  const [first] = failed;
  if (first) lines.push(`replay: ${replay(first.scenario.draft.file)}`);
  if (failed.length < 2) return lines.join('\n');
  const names = failed.slice(0, mostNamed).map(({ scenario }) => scenario.id);
  const left = failed.length - names.length;
  lines.push(`failed: ${names.join(', ')}${left > 0 ? `, and ${left} more` : ''}`);
  return lines.join('\n');
}
