import { parseTimestamp } from '../../../spec/forms.ts';
import { targetClockOf } from '../../trace/target-clock.ts';
import { defineRule } from '../../findings.ts';
import { isOpenAndUntouched } from '../../trace/open-order.ts';
import { mayBeReplaced } from '../../trace/submitted-quotes.ts';
import { quoteStateOf } from '../../trace/traces.ts';

export const quoteDeadlines = defineRule({
  id: 'quote.deadlines',
  title: 'A quote on an open order expires at its `valid_until`, no earlier and not much later',
  requirements: ['quote.state.pending-to-expired', 'quote.state.pending-to-expired.not-early'],
  judge(view, findings) {
    const clock = targetClockOf(view);
    for (const quote of view.quotes.values()) {
      const order = view.orders.get(quote.intentId ?? '');
      if (!order || mayBeReplaced(view, quote, order)) continue;
      for (const snapshot of quote.snapshots) {
        const { value, source, via } = snapshot;
        const [state, deadline] = [quoteStateOf(snapshot), parseTimestamp(value['valid_until'])];
        if (snapshot.frame || !state || deadline === undefined) continue;
        // The state of quotes on an expired order is open (gap `quote.orphans`).
        if (!isOpenAndUntouched(view, order, snapshot)) continue;
        // A quote whose deadline had passed when it came may start PENDING all the same (gap `quote.past_validity`).
        if (via === 'quote.submit' && clock.wellAfter(snapshot, deadline)) continue;
        const violation = (message: string) => ({
          message,
          fields: ['valid_until'],
          must: { words: `PENDING until ${new Date(deadline).toISOString()}, then EXPIRED` },
          actual: `${state} between ${new Date(snapshot.from).toISOString()} and ${new Date(snapshot.to).toISOString()}`,
          evidence: [...(quote.submission ? [quote.submission.id] : []), source],
        });
        if (clock.before(snapshot, deadline)) {
          const early = 'quote.state.pending-to-expired.not-early';
          findings.assert(early, state === 'PENDING', source, () =>
            violation(`a quote was ${state} before its valid_until (${via})`),
          );
        } else if (state === 'EXPIRED' && clock.after(snapshot, deadline)) {
          findings.pass('quote.state.pending-to-expired', source);
        } else if (clock.wellAfter(snapshot, deadline)) {
          findings.fail(
            'quote.state.pending-to-expired',
            violation(`a quote was still ${state} well after its valid_until (${via})`),
          );
        } else {
          const message = 'a quote was seen too near its valid_until to tell';
          findings.inconclusive('quote.state.pending-to-expired', {
            ...violation(message),
            departure: 'near-deadline',
          });
        }
      }
    }
  },
});
