import type { PlayReport } from '../../results/run-report.ts';
import type { RunOutcome, Verdict } from '../../results/verdicts.ts';
import { countVerdicts } from '../assemble.ts';
import { count, playLabels } from '../labels.ts';

/** What a play came to: its scenarios, and apart from them the interface. */
export const playReportOf = (
  scenarios: readonly { readonly verdict: Verdict }[],
  ofInterface: RunOutcome,
): PlayReport => ({ scenarios: countVerdicts(scenarios), interface: ofInterface });

/** Each verdict that scenarios came to, with their number. */
export function playOutcome({ scenarios }: PlayReport): readonly [outcome: string, detail: string] {
  const all = Object.values(scenarios).reduce((sum, n) => sum + n, 0);
  const of = (n: number): string => `${n} of ${count(all, 'scenario')}`;
  const { fail, error, pass } = scenarios;
  if (error > 0) return ['error', `the suite itself broke in ${of(error)}`];
  if (fail > 0) return ['not as expected', `${of(fail)} failed`];
  if (pass === 0) return ['not played', `${of(0)} could be decided`];
  return ['as expected', `${of(pass)} passed`];
}

/** The scenarios, and apart from them what the rules found: an expectation may itself be wrong. */
export const playSentence = (play: PlayReport): string =>
  `${playOutcome(play).join(': ')}; ${playLabels[play.interface]}`;
