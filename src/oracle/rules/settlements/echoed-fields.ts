import { equalNumbers } from '../../../protocol/decimal.ts';
import { equalValues } from '../../../protocol/equality.ts';
import { isSet } from '../../../protocol/json.ts';
import { defineRule } from '../../findings.ts';
import { expectEqual, shownByOrder } from '../../expect-equal.ts';
import { winnerOf } from '../../trace/selected-quote.ts';
import { isReplacedInPlace } from '../../trace/submitted-quotes.ts';
import type { OrderTrace, QuoteTrace } from '../../trace/traces.ts';

const settlementFields = [
  ['source_currency', 'settlement.source-currency.as-order'],
  ['target_currency', 'settlement.target-currency.as-order'],
  ['target_amount', 'settlement.target-amount.as-order'],
  ['source_amount_actual', 'settlement.source-amount-actual.as-order'],
  ['fx_rate', 'settlement.fx-rate.as-order'],
  ['quote_id', 'settlement.quote-id.as-order'],
  ['transaction_hash', 'settlement.transaction-hash.as-order'],
  ['settled_at', 'settlement.settled-at.as-order'],
] as const;

export const settlementEcho = defineRule({
  id: 'settlement.echo',
  title: 'A settlement shows what its order and its quote show',
  requirements: [
    ...settlementFields.map(([, requirement]) => requirement),
    'settlement.mm-quoted-source-amount.as-quote',
    'settlement.mm-delivered-target-amount.as-order',
    'event.settlement-completed.agrees-with-read',
  ],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      if (trace.settlements.length === 0) continue;
      const winner = winnerOf(trace);
      for (const [field, requirement] of settlementFields) {
        const shown = shownByOrder(trace, field);
        for (const snapshot of trace.settlements) {
          const judged = snapshot.frame
            ? 'event.settlement-completed.agrees-with-read'
            : requirement;
          expectEqual(findings, judged, field, shown, snapshot);
        }
      }
      // If there are several terms under one id, only the order itself shows which were accepted.
      if (!winner || isReplacedInPlace(winner, trace)) continue;
      const quoted = winner.snapshots.find(
        ({ resource, value }) => resource === 'quote' && isSet(value['source_amount']),
      );
      const price = { value: quoted?.value['source_amount'], source: quoted?.source ?? '' };
      const delivered = isForWholeOrder(trace, winner) && shownByOrder(trace, 'target_amount');
      for (const snapshot of trace.settlements) {
        const asQuoted = 'settlement.mm-quoted-source-amount.as-quote';
        expectEqual(findings, asQuoted, 'mm_quoted_source_amount', price, snapshot);
        const asOrdered = 'settlement.mm-delivered-target-amount.as-order';
        if (delivered)
          expectEqual(findings, asOrdered, 'mm_delivered_target_amount', delivered, snapshot);
      }
    }
  },
});

/** Judged by the sent amount and by the listed one: the sent amount may have meant the source currency. */
const isForWholeOrder = (trace: OrderTrace, winner: QuoteTrace): boolean => {
  const target = shownByOrder(trace, 'target_amount').value;
  const sent = winner.sent?.['target_amount'];
  if (!isSet(target) || !equalValues('target_amount', sent, target)) return false;
  const listed = winner.snapshots.find(({ resource, frame }) => resource === 'quote' && !frame);
  return listed
    ? equalValues('target_amount', listed.value['target_amount'], target)
    : equalNumbers(winner.sent?.['fx_rate'], '1') === true;
};
