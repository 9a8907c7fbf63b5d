import { textOf } from '../../../protocol/json.ts';
import { defineRule } from '../../findings.ts';
import type { Call } from '../../trace/calls.ts';
import { causedBy } from '../../trace/event-delivery.ts';
import type { StreamTrace, TraceFrame } from '../../trace/streams.ts';
import { assertDelivered, limitRequirement, streamsDue } from './delivery.ts';
import { clearSubmissions, decimalKey, receivedQuotes } from './received-quotes.ts';

export const quotesAnnounced = defineRule({
  id: 'event.quote-received.sent',
  title: 'Every quote on a PENDING order goes to the sender and its custodian',
  requirements: [
    'event.quote-received.sent',
    'event.quote-received.every-quote',
    'event.quote-received.to-sender-custodian',
    'event.live',
    'event.every-open-stream',
    'stream.intent-filter.all-of-that-order',
    'stream.intent-filter.for-custodian',
    'stream.unfiltered-has-all',
  ],
  judge(view, findings) {
    const received = view.once(receivedQuotes);
    for (const trace of view.orders.values()) {
      if (!trace.creation || trace.submissions.length === 0) continue;
      const clear = clearSubmissions(view, trace);
      const several = new Set(clear.map(({ party }) => party)).size > 1;
      const audience = [trace.creation.party, view.nameOf(trace.senderCustodianId)];
      for (const call of clear) {
        const cause = causedBy(call);
        assertDelivered(findings, {
          trace,
          event: 'quote_received',
          about: `of a quote by ${call.party}`,
          cause,
          due: streamsDue(view, trace, 'quote_received', audience, cause),
          frameOn: (stream) => frameOf(stream, call),
          requirements: (stream) =>
            stream.role === 'custodian'
              ? ['event.quote-received.to-sender-custodian', limitRequirement(stream)]
              : [
                  'event.quote-received.sent',
                  limitRequirement(stream),
                  ...(several ? (['event.quote-received.every-quote'] as const) : []),
                ],
        });
      }
    }

    /**
     * Finds the frame by its quote. If the payload has only the named fields: any frame with that rate after the
     * submission.
     */
    function frameOf(stream: StreamTrace, call: Call): TraceFrame | undefined {
      const { byQuote, byRate } = received(stream);
      const alike = byRate.get(decimalKey(call.sent?.['fx_rate'])) ?? [];
      return (
        byQuote.get(textOf(call.data, 'quote_id') ?? '') ?? alike.find(({ at }) => at > call.open)
      );
    }
  },
});
