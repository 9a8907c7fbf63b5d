import { isSet } from '../../../protocol/json.ts';
import { equalUpToRounding, equalValues } from '../../../protocol/equality.ts';
import { defineRule } from '../../findings.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import { submittedBodies } from '../../trace/submitted-quotes.ts';
import { type OrderTrace, possiblyEffective } from '../../trace/traces.ts';

/** The quote that the one successful acceptance named; undefined if several may have taken effect. */
function acceptedBy(trace: OrderTrace): { quoteId: string; source: string } | undefined {
  const took = possiblyEffective(trace.acceptances);
  const [call] = took;
  const quoteId = call?.exchange.params.quote_id;
  const isCertain = took.every(({ ok, exchange }) => ok && exchange.params.quote_id === quoteId);
  return call && isCertain && quoteId !== undefined ? { quoteId, source: call.id } : undefined;
}

export const acceptedQuoteShown = defineRule({
  id: 'order.accepted-quote',
  title: 'An order shows the quote that was accepted: its id, its maker, its rate and its amount',
  requirements: [
    'order.quote-id.names-accepted-quote',
    'order.market-maker-party-id.is-winner',
    'order.fx-rate.of-accepted-quote',
    'order.source-amount-actual.of-accepted-quote',
    'quote.accept.selects-named-quote',
  ],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      const accepted = acceptedBy(trace);
      if (!accepted) continue;
      const quote = view.quotes.get(accepted.quoteId);
      const maker = quote?.maker === undefined ? undefined : view.partyIdOf(quote.maker);
      const rates = quote ? submittedBodies(quote, trace).map((sent) => sent['fx_rate']) : [];
      const quoted = rates.length > 1 ? undefined : priceOf(trace, accepted.quoteId);
      for (const snapshot of trace.snapshots) {
        const { value, source } = snapshot;
        const equal = comparing(accepted.source, snapshot);
        equal('order.quote-id.names-accepted-quote', 'quote_id', [accepted.quoteId]);
        if (trace.quotes.length > 1)
          equal('quote.accept.selects-named-quote', 'quote_id', [accepted.quoteId]);
        equal('order.market-maker-party-id.is-winner', 'market_maker_party_id', [maker]);
        equal('order.fx-rate.of-accepted-quote', 'fx_rate', rates);
        const near = equalUpToRounding(value['source_amount_actual'], quoted);
        if (near === undefined || !isSet(quoted)) continue;
        findings.assert('order.source-amount-actual.of-accepted-quote', near, source, () =>
          violation('source_amount_actual', quoted, accepted.source, snapshot),
        );
      }
    }

    function comparing(accepted: string, snapshot: Snapshot) {
      return (
        requirement:
          | 'order.quote-id.names-accepted-quote'
          | 'quote.accept.selects-named-quote'
          | 'order.market-maker-party-id.is-winner'
          | 'order.fx-rate.of-accepted-quote',
        field: string,
        admissible: readonly unknown[],
      ): void => {
        const shown = snapshot.value[field];
        const known = admissible.filter(isSet);
        if (!isSet(shown) || known.length === 0) return;
        const holds = known.some((one) => equalValues(field, shown, one));
        findings.assert(requirement, holds, snapshot.source, () =>
          violation(field, known[0], accepted, snapshot),
        );
      };
    }

    /**
     * Price at which the order side lists the quote. If the quote is for another amount than the order's, the price
     * paid is open.
     */
    function priceOf(trace: OrderTrace, quoteId: string): unknown {
      const listed = view.quotes
        .get(quoteId)
        ?.snapshots.find(
          ({ resource, value }) => resource === 'quote' && isSet(value['source_amount']),
        )?.value;
      const target = trace.sent?.['target_amount'];
      const isWhole =
        target === undefined || equalValues('target_amount', listed?.['target_amount'], target);
      return isWhole ? listed?.['source_amount'] : undefined;
    }
  },
});

const violation = (
  field: string,
  expected: unknown,
  accepted: string,
  { value, source, via }: Snapshot,
) => ({
  message: `${field} of an order was not that of the accepted quote (${via})`,
  fields: [field],
  expected,
  actual: value[field],
  evidence: [accepted, source],
});
