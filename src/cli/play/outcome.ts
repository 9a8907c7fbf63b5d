import type { SourceReport } from '../../results/source-report.ts';
import type { RunOutcome } from '../../results/verdicts.ts';
import { isCutShort, type Played } from '../../scenario/run/play.ts';

/** The worse outcome of the scenarios and of the rules. */
export function outcomeOfPlay(played: readonly Played[], ofRules: RunOutcome): RunOutcome {
  const has = (verdict: Played['verdict']): boolean =>
    played.some((one) => one.verdict === verdict);
  if (ofRules === 'error' || has('error')) return 'error';
  if (ofRules === 'nonconformant' || has('fail')) return 'nonconformant';
  return has('pass') && !played.some(isCutShort) ? 'conformant' : 'incomplete';
}

export function outcomeOfRules(rules: readonly SourceReport[]): RunOutcome {
  const has = (verdict: SourceReport['verdict']): boolean =>
    rules.some((one) => one.verdict === verdict);
  return has('error') ? 'error' : has('fail') ? 'nonconformant' : 'conformant';
}
