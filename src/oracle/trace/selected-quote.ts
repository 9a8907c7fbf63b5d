import { isSet, textOf } from '../../protocol/json.ts';
import type { Call } from './calls.ts';
import { possiblyEffective, type OrderTrace, type QuoteTrace } from './traces.ts';
import type { HistoryView } from './history-view.ts';

/** The acceptance that certainly selected a quote, with that quote; undefined if there is none. */
export function certainSelection(
  view: HistoryView,
  trace: OrderTrace,
): [Call, QuoteTrace] | undefined {
  const took = possiblyEffective(trace.acceptances);
  const [call] = took;
  const quoteId = call?.exchange.params.quote_id;
  if (!call?.ok || quoteId === undefined) return undefined;
  if (took.some((other) => other.exchange.params.quote_id !== quoteId)) return undefined;
  // An acceptance above the maximum may fail the order instead (gap `quote.above_max`).
  if (textOf(call.data, 'status') !== 'QUOTED') return undefined;
  const quote = view.quotes.get(quoteId);
  return quote?.maker === undefined ? undefined : [call, quote];
}

/** Submissions of a maker to an order, without the refused ones. */
export const submissionsBy = (trace: OrderTrace, maker: string): readonly Call[] =>
  possiblyEffective(trace.submissions).filter((call) => call.party === maker);

/** The quote that an order names as accepted. */
export function winnerOf(trace: OrderTrace): QuoteTrace | undefined {
  const id = trace.snapshots.map(({ value }) => value['quote_id']).find(isSet);
  return trace.quotes.find((quote) => quote.id === id);
}
