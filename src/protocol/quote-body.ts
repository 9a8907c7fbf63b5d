import { formatTimestamp } from '../spec/forms.ts';
import type { GapId } from '../spec/gaps/index.ts';
import type { JsonObject } from './json.ts';
import { sourceAmountFor } from './rate-orientation.ts';

/** Body of a quote. `validUntil`: milliseconds on the target's clock. */
export const quoteBody = (rate: unknown, amount: unknown, validUntil: number): JsonObject => ({
  fx_rate: rate,
  target_amount: amount,
  valid_until: formatTimestamp(Math.round(validUntil)),
});

/**
 * Amount to submit to quote the whole order: the amount of the order, or its value in the source currency if this
 * target reads the submitted `target_amount` in that currency (gap `quote.target_amount`).
 */
export function wholeAmount(
  amount: unknown,
  rate: unknown,
  answers: { get(gap: GapId): string | undefined },
): unknown {
  if (rate === '1' || answers.get('quote.target_amount') !== 'source') return amount;
  const known = answers.get('quote.rate_orientation');
  const orientation = known === 'source-per-target' ? known : 'target-per-source';
  return sourceAmountFor(amount, rate, orientation) ?? amount;
}
