import { defineRule } from '../../findings.ts';
import { all, assertUnchanged, FirstValues } from '../../first-values.ts';

const settlementTerms = all('settlement.unchanged', [
  'source_currency',
  'target_currency',
  'target_amount',
  'source_amount_actual',
  'fx_rate',
  'quote_id',
  'mm_quoted_source_amount',
  'mm_delivered_target_amount',
  'transaction_hash',
  'settled_at',
]);

export const settlementImmutable = defineRule({
  id: 'settlement.constancy',
  title: 'A settlement never changes once it is shown',
  requirements: ['settlement.unchanged'],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      const firsts = new FirstValues();
      for (const snapshot of trace.settlements) {
        assertUnchanged(findings, settlementTerms, firsts, snapshot, 'a settlement');
      }
    }
  },
});
