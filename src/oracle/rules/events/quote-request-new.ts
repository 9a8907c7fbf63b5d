import { tolerance } from '../../../protocol/tolerances.ts';
import { defineRule } from '../../findings.ts';
import { type Cause, causedBy, makersOf } from '../../trace/event-delivery.ts';
import type { Call } from '../../trace/calls.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import { possiblyEffective, type OrderTrace, showsTerminal } from '../../trace/traces.ts';
import { assertDelivered, assertDeliveredOnce, firstOn, framesOf, streamsDue } from './delivery.ts';

export const requestsAnnounced = defineRule({
  id: 'event.quote-request-new',
  title: 'Every new request is announced to every market maker, once',
  requirements: [
    'event.quote-request-new.sent',
    'event.quote-request-new.to-every-maker',
    'event.quote-request-new.once',
    'event.after-cause',
    'event.live',
    'event.every-open-stream',
  ],
  judge(view, findings) {
    const makers = view.once(makersOf);
    for (const trace of view.orders.values()) {
      const frames = framesOf(trace, 'quote_request_new');
      assertDeliveredOnce(findings, 'event.quote-request-new.once', frames);
      const { creation } = trace;
      if (!creation) continue;
      for (const { seen } of frames) {
        findings.assert('event.after-cause', seen.at > creation.open, seen.id, () => ({
          message: 'quote_request_new came before the order was created',
          evidence: [seen.id, creation.id],
        }));
      }
      const cause = availability(view, trace, creation);
      if (!cause) continue;
      const due = streamsDue(view, trace, 'quote_request_new', makers, cause);
      const several = new Set(due.map(({ party }) => party)).size > 1;
      assertDelivered(findings, {
        trace,
        event: 'quote_request_new',
        about: 'of a request',
        cause,
        due,
        frameOn: firstOn(trace, 'quote_request_new'),
        requirements: () => [
          'event.quote-request-new.sent',
          ...(several ? (['event.quote-request-new.to-every-maker'] as const) : []),
        ],
      });
    }
  },
});

/**
 * The cause from which on a request was certainly there for makers. An order may wait for its proposal to be accepted
 * first (gap `proposal.effect`), or end before its request has come to makers: then somebody must have seen the
 * request.
 */
function availability(view: HistoryView, trace: OrderTrace, creation: Call): Cause | undefined {
  const effect = view.context.answers('proposal.effect');
  if (effect !== undefined && effect !== 'opens-quoting' && !wasBrief(trace, creation)) {
    return causedBy(creation);
  }
  const seen = trace.rfqs.find(({ frame }) => !frame);
  const quoted = trace.submissions.find((call) => call.ok);
  const proof = seen && (!quoted || seen.close < quoted.close) ? seen.call : quoted;
  return proof && { ...causedBy(proof), since: creation.open };
}

/** True if the order ended sooner than its request must have been on its way to makers (gap `event.latency`). */
function wasBrief(trace: OrderTrace, { exchange }: Call): boolean {
  const by = exchange.received + tolerance.eventDeliveryMs;
  return (
    possiblyEffective(trace.cancels).some((call) => call.exchange.sent < by) ||
    trace.snapshots.some((seen) => showsTerminal(seen) && seen.to < by)
  );
}
