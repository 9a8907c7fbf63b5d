import { defineRule } from '../../findings.ts';
import { isOpenAndUntouched } from '../../trace/open-order.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import { mayBeReplaced } from '../../trace/submitted-quotes.ts';
import {
  mayHaveChanged,
  type OrderTrace,
  type QuoteTrace,
  quoteStateOf,
} from '../../trace/traces.ts';

export const atMostOneAccepted = defineRule({
  id: 'quote.one-accepted',
  title: 'At most one quote of an order is ever ACCEPTED, and none without being selected',
  requirements: [
    'quote.state.one-accepted-per-order',
    'quote.state.one-accepted-under-race',
    'quote.state.other-orders-untouched',
    // Also judged by `quote.states`, which sees what a quote was before.
    'quote.state.listed-transitions-only',
  ],
  judge(view, findings) {
    const firstSelection =
      view.endpoint('quote.accept').find((call) => call.ok)?.open ?? Number.POSITIVE_INFINITY;
    for (const trace of view.orders.values()) {
      judgeAccepted(trace);
      judgeRaces(trace);
      if (!trace.creation) continue;
      for (const quote of trace.quotes) judgeUnselected(trace, quote);
    }

    function judgeAccepted({ quotes }: OrderTrace): void {
      const accepted = quotes.flatMap((quote) => {
        const seen = quote.snapshots.find((one) => quoteStateOf(one) === 'ACCEPTED');
        return seen ? [{ id: quote.id, source: seen.source }] : [];
      });
      const [first] = accepted;
      if (!first) return;
      const isOnly = accepted.length === 1;
      findings.assert('quote.state.one-accepted-per-order', isOnly, first.source, () => ({
        message: `${accepted.length} quotes of one order were ACCEPTED`,
        actual: accepted.map(({ id }) => id),
        evidence: accepted.map(({ source }) => source),
      }));
    }

    /** Of acceptances of different quotes that were sent at once, one succeeds at most. */
    function judgeRaces({ acceptances }: OrderTrace): void {
      for (const [index, call] of acceptances.entries()) {
        for (const other of acceptances.slice(index + 1)) {
          const [one, two] = [call.exchange, other.exchange];
          const atOnce = one.sent <= two.received && two.sent <= one.received;
          if (!atOnce || one.params.quote_id === two.params.quote_id) continue;
          if (call.status === undefined || other.status === undefined) continue;
          const bothSucceeded = call.ok && other.ok;
          findings.assert('quote.state.one-accepted-under-race', !bothSucceeded, other.id, () => ({
            message: 'two acceptances of different quotes sent at once both succeeded',
            evidence: [call.id, other.id],
          }));
        }
      }
    }

    /** As long as nobody accepted anything on its order, a quote can be neither selected nor passed over. */
    function judgeUnselected(trace: OrderTrace, quote: QuoteTrace): void {
      const before = quote.snapshots.filter((seen) => !mayHaveChanged(trace.acceptances, seen));
      const isRejected = (seen: Snapshot): boolean =>
        quoteStateOf(seen) === 'REJECTED' &&
        isOpenAndUntouched(view, trace, seen) &&
        !mayBeReplaced(view, quote, trace);
      const wrong = before.find((seen) => quoteStateOf(seen) === 'ACCEPTED' || isRejected(seen));
      const seen = wrong ?? before.at(-1);
      if (!seen) return;
      const isAfterAnother = firstSelection < (wrong?.close ?? Number.POSITIVE_INFINITY);
      const requirement = isAfterAnother
        ? 'quote.state.other-orders-untouched'
        : 'quote.state.listed-transitions-only';
      findings.assert(requirement, !wrong, seen.source, () => ({
        message: `a quote was ${quoteStateOf(seen)} though no quote of its order was accepted`,
        must: { one_of: ['PENDING', 'EXPIRED'] },
        actual: quoteStateOf(seen),
        evidence: [seen.source],
      }));
    }
  },
});
