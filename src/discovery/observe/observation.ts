import type { Exchange } from '../../history/records.ts';
import { isDenied, succeeded } from '../../protocol/answers.ts';
import type { GapId } from '../../spec/gaps/index.ts';
import type { GapObservation } from '../../target/gap-observations.ts';

export type Observations = Iterable<GapObservation>;

/** An answer to a gap, by the exchanges and frames that show it. */
export const observed = (
  gap: GapId,
  answer: string,
  shownBy: readonly { readonly id: string }[],
  subject?: string,
): GapObservation => ({
  gap,
  answer,
  ...(subject !== undefined && { subject }),
  evidence: shownBy.map(({ id }) => id),
});

/** One word for a request that was granted, another for one that was denied; undefined for anything else. */
export function outcomeOf(
  exchange: Exchange,
  granted: string,
  denied = 'refuse',
): string | undefined {
  if (succeeded(exchange)) return granted;
  return isDenied(exchange) ? denied : undefined;
}
