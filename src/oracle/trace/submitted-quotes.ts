import { type JsonObject, textOf } from '../../protocol/json.ts';
import { tolerance } from '../../protocol/tolerances.ts';
import type { HistoryView } from './history-view.ts';
import { possiblyEffective, type OrderTrace, type QuoteTrace, quoteStateOf } from './traces.ts';

/**
 * Bodies of the submissions that were answered with this quote, in their order. There are several if a later quote
 * replaced the first and kept its id (gap `quote.twice`); it is then unknown which of them was in force at a moment.
 */
export function submittedBodies(
  quote: QuoteTrace,
  order: OrderTrace | undefined,
): readonly JsonObject[] {
  const bodies = (order?.submissions ?? []).flatMap((call) =>
    call.ok && call.sent && textOf(call.data, 'quote_id') === quote.id ? [call.sent] : [],
  );
  return bodies.length > 0 || !quote.sent ? bodies : [quote.sent];
}

export const isReplacedInPlace = (quote: QuoteTrace, order: OrderTrace | undefined): boolean =>
  submittedBodies(quote, order).length > 1;

/**
 * True if a later quote of the same maker may have replaced this one (gap `quote.twice`). False if this target is known
 * to take several, or if this quote was read PENDING when a later one must have shown.
 */
export function mayBeReplaced(
  view: HistoryView,
  quote: QuoteTrace,
  order: OrderTrace | undefined,
): boolean {
  const { maker } = quote;
  if (maker === undefined || !order || isReplacedInPlace(quote, order)) return true;
  const own = possiblyEffective(order.submissions).filter(({ party }) => party === maker);
  if (own.length <= 1 || view.context.answers('quote.twice') === 'allow') return false;
  const shown =
    Math.max(...own.map(({ exchange }) => exchange.received)) + tolerance.replicationLagMs;
  return !quote.snapshots.some((seen) => seen.from > shown && quoteStateOf(seen) === 'PENDING');
}
