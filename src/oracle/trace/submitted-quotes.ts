import { type JsonObject, textOf } from '../../protocol/json.ts';
import { tolerance } from '../../protocol/tolerances.ts';
import type { HistoryView } from './history-view.ts';
import { possiblyEffective, type OrderTrace, type QuoteTrace, quoteStateOf } from './traces.ts';

/**
 * The bodies under which a quote was taken, in their order: several where a second one took the place of the first and
 * kept its id (gap `quote.twice`). Which of them stood at a moment is not known then.
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
 * Whether a later quote of its maker may have taken the place of this one (gap `quote.twice`). Not where this target is
 * known to take several, nor where this one was read PENDING when a later one must have shown.
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
