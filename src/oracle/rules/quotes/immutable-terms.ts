import { defineRule } from '../../findings.ts';
import { all, assertUnchanged, FirstValues } from '../../first-values.ts';
import { mayBeReplaced } from '../../trace/submitted-quotes.ts';

const quoteTerms = all('quote.terms-unchanged', [
  'intent_id',
  'market_maker_party_id',
  'fx_rate',
  'source_amount',
  'target_amount',
  'submitted_at',
  'valid_until',
]);

/** Fields of a quote that mean the same to its maker and to the order side; the amounts may not (gap). */
const sharedTerms = all('quote.views-agree', [
  'intent_id',
  'fx_rate',
  'submitted_at',
  'valid_until',
]);

export const quoteImmutable = defineRule({
  id: 'quote.constancy',
  title: 'A quote keeps its terms, and shows the same ones to its maker and to the order side',
  requirements: ['quote.terms-unchanged', 'quote.views-agree'],
  judge(view, findings) {
    for (const quote of view.quotes.values()) {
      const order = view.orders.get(quote.intentId ?? '');
      if (order && mayBeReplaced(view, quote, order)) continue;
      const perView = new Map<string, FirstValues>();
      const shared = new FirstValues();
      for (const snapshot of quote.snapshots) {
        const key =
          snapshot.frame || snapshot.via === 'quote.submit' ? snapshot.via : snapshot.resource;
        const first = perView.get(key) ?? new FirstValues();
        perView.set(key, first);
        assertUnchanged(findings, quoteTerms, first, snapshot, 'a quote');
        assertUnchanged(findings, sharedTerms, shared, snapshot, 'a quote');
      }
    }
  },
});
