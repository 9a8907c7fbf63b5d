import { intervalOf, targetClockOf } from '../../trace/target-clock.ts';
import { defineRule } from '../../findings.ts';
import type { Call } from '../../trace/calls.ts';
import { timestampIn } from '../../trace/snapshots.ts';
import { mayBeReplaced } from '../../trace/submitted-quotes.ts';
import { mayHaveChanged, type OrderTrace, orderStateOf } from '../../trace/traces.ts';

export const lateAcceptances = defineRule({
  id: 'quote.late-acceptance',
  title:
    'A quote cannot be accepted after its `valid_until`, nor an order quoted after its `expires_at`',
  requirements: [
    'order.accept.expired-quote-refused',
    // Also judged by `order.acceptances`, which sees an order that was read EXPIRED before its deadline could be known.
    'order.accept.expired-order-refused',
    'quote.submit.expired-request-refused',
  ],
  judge(view, findings) {
    const clock = targetClockOf(view);
    for (const trace of view.orders.values()) {
      const expiry = timestampIn(trace.snapshots, 'expires_at');
      for (const call of trace.acceptances) {
        // The accepted quote may be accepted again (gap `accept.again`).
        const again = trace.acceptances.some(
          (other) => other.ok && other.open < call.close && other !== call,
        );
        if (again) continue;
        const validity = validityOf(trace, call);
        if (validity !== undefined && clock.after(intervalOf(call), validity)) {
          const message = 'a quote was accepted after its valid_until';
          assertRefused('order.accept.expired-quote-refused', call, message, validity);
        }
        if (expiry === undefined || !clock.wellAfter(intervalOf(call), expiry)) continue;
        const message = "a quote was accepted after the order's expires_at";
        assertRefused('order.accept.expired-order-refused', call, message, expiry);
      }
      // Only for a request that expired: the answer to a quote on an accepted order is open (gap `quote.late`).
      if (expiry === undefined || trace.snapshots.some(endedOtherwise)) continue;
      for (const call of trace.submissions) {
        if (!clock.wellAfter(intervalOf(call), expiry)) continue;
        if (mayHaveChanged(trace.acceptances, call)) continue;
        const message = 'a quote was taken on a request that had expired';
        assertRefused('quote.submit.expired-request-refused', call, message, expiry);
      }
    }

    function validityOf(trace: OrderTrace, { exchange }: Call): number | undefined {
      const quote = view.quotes.get(exchange.params.quote_id ?? '');
      return quote && quote.intentId === trace.id && !mayBeReplaced(view, quote, trace)
        ? timestampIn(quote.snapshots, 'valid_until')
        : undefined;
    }

    function assertRefused(
      requirement:
        | 'order.accept.expired-quote-refused'
        | 'order.accept.expired-order-refused'
        | 'quote.submit.expired-request-refused',
      { id, ok, status, exchange }: Call,
      message: string,
      deadline: number,
    ): void {
      if (status === undefined) return;
      findings.assert(requirement, !ok, id, () => ({
        message,
        deviation: 'let through',
        must: { words: `a 4xx status after ${new Date(deadline).toISOString()}` },
        actual: `${status} at ${new Date(exchange.sent).toISOString()}`,
        evidence: [id],
      }));
    }
  },
});

type Seen = OrderTrace['snapshots'][number];
const endedOtherwise = (seen: Seen): boolean =>
  !['PENDING', 'EXPIRED'].includes(orderStateOf(seen) ?? 'PENDING');
