import type { PlayReport } from '../../results/run-report.ts';
import type { RunOutcome, Verdict } from '../../results/verdicts.ts';
import { countVerdicts } from '../assemble.ts';
import { count, playLabels } from '../labels.ts';

/** True for a rule that found a violation or had an error, independent of what the scenarios expected. */
export const isFound = ({ verdict }: { readonly verdict: Verdict }): boolean =>
  verdict === 'fail' || verdict === 'error';

/** Result of a play: its scenarios and, apart from them, the interface. */
export function playReportOf(
  scenarios: readonly { readonly verdict: Verdict; readonly waived?: string }[],
  ofInterface: RunOutcome,
): PlayReport {
  const known = scenarios.filter(({ waived }) => waived !== undefined).length;
  return {
    scenarios: countVerdicts(scenarios),
    ...(known > 0 && { waived: known }),
    interface: ofInterface,
  };
}

/** Outcome of the scenarios in words, with the number of each verdict. */
export function playOutcome({
  scenarios,
  waived = 0,
}: PlayReport): readonly [outcome: string, detail: string] {
  const all = Object.values(scenarios).reduce((sum, n) => sum + n, 0);
  const of = (n: number): string => `${n} of ${count(all, 'scenario')}`;
  const { error, pass } = scenarios;
  const fail = scenarios.fail - waived;
  const known = waived > 0 ? `, ${waived} failed as waived` : '';
  if (error > 0) return ['error', `the suite itself broke in ${of(error)}`];
  if (fail > 0) return ['not as expected', `${of(fail)} failed${known}`];
  if (pass + waived === 0) return ['not played', `${of(0)} could be decided`];
  return ['as expected', `${of(pass)} passed${known}`];
}

/** Outcome of the scenarios and, apart from it, of the rules: an expectation of a scenario may itself be wrong. */
export const playSentence = (play: PlayReport): string =>
  `${playOutcome(play).join(': ')}; ${playLabels[play.interface]}`;
