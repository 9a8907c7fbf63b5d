import { parseTimestamp } from '../spec/forms.ts';
import { textAt } from './json.ts';
import { sameValue } from './same.ts';
import { defineRule } from './tally.ts';
import { type Call, isRefusal } from './view/calls.ts';
import type { OrderStory, QuoteStory } from './view/stories.ts';

const isRefused = (call: Call): boolean => call.own && isRefusal(call);

/** Whether a quote shows what a submission sent: by its deadline above all, which no two of them share but by chance. */
function isOf({ sent }: Call, { sightings }: QuoteStory): boolean {
  if (parseTimestamp(sent?.['valid_until']) === undefined) return false;
  return sightings.some(
    ({ value }) =>
      sameValue('valid_until', sent?.['valid_until'], value['valid_until']) &&
      sameValue('fx_rate', sent?.['fx_rate'], value['fx_rate']),
  );
}

/** Quotes of a maker's own lists that no submission which was taken, or may have been, accounts for. */
const unaccounted = (story: OrderStory, maker: string): readonly QuoteStory[] =>
  story.quotes.filter(
    (quote) =>
      quote.submission === undefined &&
      quote.sightings.some(({ resource, party }) => resource === 'own-quote' && party === maker) &&
      !story.submissions.some(
        (call) => call.party === maker && !isRefused(call) && isOf(call, quote),
      ),
  );

export const refusedQuotes = defineRule({
  id: 'quote.refused',
  title: 'A quote that was refused is on no list',
  requirements: ['error.refusal-changes-nothing'],
  judge(view, tally) {
    for (const story of view.orders.values()) {
      for (const call of story.submissions) {
        if (!isRefused(call)) continue;
        const kept = unaccounted(story, call.party).find((quote) => isOf(call, quote));
        const shown = kept?.sightings.find(({ resource }) => resource === 'own-quote');
        if (!kept || !shown) continue;
        tally.fail('error.refusal-changes-nothing', {
          message: `a quote that was refused stood on a list (${shown.via})`,
          expected: 'no such quote',
          actual: { quote_id: kept.id, status: textAt(shown.value, 'status') },
          evidence: [call.id, shown.source],
        });
      }
    }
  },
});
