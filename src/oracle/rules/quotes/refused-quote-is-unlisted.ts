import { parseTimestamp } from '../../../spec/forms.ts';
import { textAt } from '../../../protocol/json.ts';
import { equalValues } from '../../../protocol/equality.ts';
import { defineRule } from '../../findings.ts';
import { type Call, isRefusal } from '../../trace/calls.ts';
import type { OrderTrace, QuoteTrace } from '../../trace/traces.ts';

const isRefused = (call: Call): boolean => call.own && isRefusal(call);

/** Whether a quote shows what a submission sent: by its deadline above all, which no two of them share but by chance. */
function isOf({ sent }: Call, { snapshots }: QuoteTrace): boolean {
  if (parseTimestamp(sent?.['valid_until']) === undefined) return false;
  return snapshots.some(
    ({ value }) =>
      equalValues('valid_until', sent?.['valid_until'], value['valid_until']) &&
      equalValues('fx_rate', sent?.['fx_rate'], value['fx_rate']),
  );
}

/** Quotes of a maker's own lists that no submission which was taken, or may have been, accounts for. */
const unaccounted = (trace: OrderTrace, maker: string): readonly QuoteTrace[] =>
  trace.quotes.filter(
    (quote) =>
      quote.submission === undefined &&
      quote.snapshots.some(({ resource, party }) => resource === 'own-quote' && party === maker) &&
      !trace.submissions.some(
        (call) => call.party === maker && !isRefused(call) && isOf(call, quote),
      ),
  );

export const refusedQuotesUnlisted = defineRule({
  id: 'quote.refused',
  title: 'A quote that was refused is on no list',
  requirements: ['error.refusal-changes-nothing'],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      for (const call of trace.submissions) {
        if (!isRefused(call)) continue;
        const kept = unaccounted(trace, call.party).find((quote) => isOf(call, quote));
        const shown = kept?.snapshots.find(({ resource }) => resource === 'own-quote');
        if (!kept || !shown) continue;
        findings.fail('error.refusal-changes-nothing', {
          message: `a quote that was refused stood on a list (${shown.via})`,
          expected: 'no such quote',
          actual: { quote_id: kept.id, status: textAt(shown.value, 'status') },
          evidence: [call.id, shown.source],
        });
      }
    }
  },
});
