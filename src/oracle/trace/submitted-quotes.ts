import { type JsonObject, textAt } from '../../protocol/json.ts';
import type { OrderTrace, QuoteTrace } from './traces.ts';

/**
 * The bodies under which a quote was taken, in their order: several where a second one took the place of the first and
 * kept its id (gap `quote.twice`). Which of them stood at a moment is not known then.
 */
export function submittedBodies(
  quote: QuoteTrace,
  order: OrderTrace | undefined,
): readonly JsonObject[] {
  const bodies = (order?.submissions ?? []).flatMap((call) =>
    call.ok && call.sent && textAt(call.data, 'quote_id') === quote.id ? [call.sent] : [],
  );
  return bodies.length > 0 || !quote.sent ? bodies : [quote.sent];
}

export const isReplacedInPlace = (quote: QuoteTrace, order: OrderTrace | undefined): boolean =>
  submittedBodies(quote, order).length > 1;
