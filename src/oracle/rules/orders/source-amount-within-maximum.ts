import { compare, parseDecimal } from '../../../protocol/decimal.ts';
import { defineRule } from '../../findings.ts';
import { isReplacedInPlace, priceShown, winnerOf } from '../../trace/selections.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import { isIn, type OrderTrace } from '../../trace/traces.ts';

export const withinMaximum = defineRule({
  id: 'money.maximum',
  title: 'Nobody pays more than the maximum',
  requirements: ['order.source-amount-actual.at-most-max'],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      for (const snapshot of trace.snapshots)
        judge(trace, snapshot, snapshot.value['source_amount_actual'], snapshot.source);
      const settled = trace.snapshots.find(isIn('SETTLED'));
      const price = settled && listedPrice(trace);
      if (price) judge(trace, settled, price.value['source_amount'], price.source);
    }

    function judge(
      { sent }: OrderTrace,
      { value, source }: Snapshot,
      shown: unknown,
      shownBy: string,
    ): void {
      const most = value['source_amount_max'] ?? sent?.['source_amount_max'];
      const [actual, max] = [parseDecimal(shown), parseDecimal(most)];
      if (!actual || !max) return;
      const holds = compare(actual, max) <= 0;
      findings.assert('order.source-amount-actual.at-most-max', holds, source, () => ({
        message:
          source === shownBy
            ? 'source_amount_actual was above source_amount_max'
            : 'an order settled whose quote was above its source_amount_max',
        fields: ['source_amount_max'],
        must: { at_most: String(most) },
        actual: shown,
        evidence: [...new Set([shownBy, source])],
      }));
    }

    /** Listed price of the accepted quote: an order may show less than it pays. */
    function listedPrice(trace: OrderTrace): Snapshot | undefined {
      const winner = winnerOf(trace);
      return winner && !isReplacedInPlace(winner, trace) ? priceShown(winner) : undefined;
    }
  },
});
