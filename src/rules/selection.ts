import { textAt } from './json.ts';
import type { Call } from './view/calls.ts';
import { happened, type OrderStory, type QuoteStory } from './view/stories.ts';
import type { HistoryView } from './view.ts';

/** The acceptance that surely selected a quote, where there is one. */
export function selectionOf(view: HistoryView, story: OrderStory): [Call, QuoteStory] | undefined {
  const took = happened(story.acceptances);
  const [call] = took;
  const quoteId = call?.exchange.params.quote_id;
  if (!call?.ok || quoteId === undefined) return undefined;
  if (took.some((other) => other.exchange.params.quote_id !== quoteId)) return undefined;
  // An acceptance above the maximum may fail the order instead (gap `quote.above_max`).
  if (textAt(call.data, 'status') !== 'QUOTED') return undefined;
  const quote = view.quotes.get(quoteId);
  return quote?.maker === undefined ? undefined : [call, quote];
}

/** What a maker submitted to an order, refusals aside. */
export const attempts = (story: OrderStory, maker: string): readonly Call[] =>
  happened(story.submissions).filter((call) => call.party === maker);
