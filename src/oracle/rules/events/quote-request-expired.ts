import { defineRule } from '../../findings.ts';
import { makersOf } from '../../trace/event-delivery.ts';
import { timestampIn } from '../../trace/snapshots.ts';
import type { TraceFrame } from '../../trace/streams.ts';
import { targetClockOf } from '../../trace/target-clock.ts';
import { possiblyEffective, type OrderTrace, orderStateOf } from '../../trace/traces.ts';
import { assertDeliveredOnce, framesOf, streamsDue } from './delivery.ts';

export const requestExpiryAnnounced = defineRule({
  id: 'event.quote-request-expired',
  title: 'quote_request_expired comes once, of a request that can no longer be quoted',
  requirements: [
    'event.quote-request-expired.sent',
    'event.quote-request-expired.not-while-open',
    'event.quote-request-expired.once',
  ],
  judge(view, findings) {
    const clock = targetClockOf(view);
    const makers = view.once(makersOf);
    for (const trace of view.orders.values()) {
      const frames = framesOf(trace, 'quote_request_expired');
      assertDeliveredOnce(findings, 'event.quote-request-expired.once', frames);
      // A withdrawn order may have ended EXPIRED without having expired (gap `withdrawn.state`).
      if (!trace.creation || view.disturbed(trace.id)) continue;
      for (const { seen } of frames) judgeClosed(trace, seen);
      judgeSent(trace, frames.length);
    }

    function judgeClosed(trace: OrderTrace, seen: TraceFrame): void {
      const acts = possiblyEffective([...trace.acceptances, ...trace.cancels]);
      const failed = trace.snapshots.some((order) => orderStateOf(order) === 'FAILED');
      const expiry = timestampIn([...trace.snapshots, ...trace.rfqs], 'expires_at');
      if (failed || expiry === undefined || acts.some((call) => call.open < seen.at)) return;
      const open = clock.before({ from: seen.frame.received, to: seen.frame.received }, expiry);
      findings.assert('event.quote-request-expired.not-while-open', !open, seen.id, () => ({
        message: 'quote_request_expired came while the request could still be quoted',
        must: { at_least: new Date(expiry).toISOString() },
        actual: new Date(seen.frame.received).toISOString(),
        evidence: [seen.id],
      }));
    }

    /** It is open if the event goes to makers that quoted or to those that did not, but it goes to some of them. */
    function judgeSent(trace: OrderTrace, delivered: number): void {
      if (possiblyEffective([...trace.acceptances, ...trace.cancels]).length > 0) return;
      const expired = trace.snapshots.find((seen) => orderStateOf(seen) === 'EXPIRED');
      if (!expired || trace.rfqs.length === 0) return;
      const due = streamsDue(view, trace, 'quote_request_expired', makers, {
        since: trace.creation?.open ?? Number.NEGATIVE_INFINITY,
        byMs: expired.to,
        by: expired.close,
        source: expired.source,
      });
      const quoters = due.filter(({ party }) =>
        trace.submissions.some((call) => call.ok && call.party === party),
      );
      if (quoters.length === 0 || quoters.length === due.length) return;
      // The document names no field for it: if an event names no order, the request that it is about cannot be known.
      const nameless = due.some(({ frames }) =>
        frames.some(({ frame, intentId }) => frame.event === 'quote_request_expired' && !intentId),
      );
      if (nameless) return;
      findings.assert('event.quote-request-expired.sent', delivered > 0, expired.source, () => ({
        message: 'no market maker got quote_request_expired of a request that had expired',
        evidence: [expired.source, ...due.map(({ id }) => id)],
      }));
    }
  },
});
