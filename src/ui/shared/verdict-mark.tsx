import { verdictLabels } from '../../report/labels.ts';
import type { Verdict } from '../../results/verdicts.ts';

interface VerdictMarkProps {
  readonly verdict: Verdict;
  readonly waived?: string | undefined;
}

/** A verdict by sign, word and colour, none of which is needed to tell it. */
export const VerdictMark = ({ verdict, waived }: VerdictMarkProps) => (
  <span class={`verdict ${verdict}`}>
    {verdictLabels[verdict]}
    {waived !== undefined && ' (waived)'}
  </span>
);
