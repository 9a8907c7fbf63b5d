import { verdictLabels } from '../../report/labels.ts';
import type { Verdict } from '../../results/verdicts.ts';

interface VerdictMarkProps {
  readonly verdict: Verdict;
  readonly waived?: string | undefined;
}

/** A verdict with sign, word and colour; any one of them is sufficient to recognise it. */
export const VerdictMark = ({ verdict, waived }: VerdictMarkProps) => (
  <span class={`verdict ${verdict}`}>
    {verdictLabels[verdict]}
    {waived !== undefined && ' (waived)'}
  </span>
);
