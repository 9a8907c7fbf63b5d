import { tolerance } from '../../../protocol/tolerances.ts';
import { defineRule } from '../../findings.ts';
import { type Call, precedes } from '../../trace/calls.ts';
import { causedBy } from '../../trace/event-delivery.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import { certainSelection, submissionsBy } from '../../trace/selected-quote.ts';
import { timestampIn } from '../../trace/snapshots.ts';
import type { OrderTrace, QuoteTrace } from '../../trace/traces.ts';
import { assertDelivered, firstOn, streamsDue } from './delivery.ts';

const accepted = { event: 'quote_accepted', about: 'of the selection of its quote' } as const;
const rejected = { event: 'quote_rejected', about: "of the selection of another's quote" } as const;

export const selectionsAnnounced = defineRule({
  id: 'event.quote-selection',
  title: 'A selection goes to its winner as quote_accepted and to each loser as quote_rejected',
  requirements: [
    'event.quote-accepted.sent',
    'event.quote-accepted.on-custodian-acceptance',
    'event.quote-rejected.sent',
    'event.quote-rejected.to-every-loser',
    'event.quote-rejected.on-custodian-acceptance',
    'event.live',
    'event.every-open-stream',
  ],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      const selected = certainSelection(view, trace);
      if (!selected) continue;
      const [call, winner] = selected;
      const cause = causedBy(call);
      const custodian = call.exchange.role === 'custodian';
      assertDelivered(findings, {
        trace,
        ...accepted,
        cause,
        due: streamsDue(view, trace, 'quote_accepted', [winner.maker], cause),
        frameOn: firstOn(trace, 'quote_accepted'),
        requirements: () => [
          'event.quote-accepted.sent',
          ...(custodian ? (['event.quote-accepted.on-custodian-acceptance'] as const) : []),
        ],
      });
      const losers = losersOf(view, trace, winner, call);
      assertDelivered(findings, {
        trace,
        ...rejected,
        cause,
        due: streamsDue(view, trace, 'quote_rejected', losers, cause),
        frameOn: firstOn(trace, 'quote_rejected'),
        requirements: () => [
          'event.quote-rejected.sent',
          ...(losers.length > 1 ? (['event.quote-rejected.to-every-loser'] as const) : []),
          ...(custodian ? (['event.quote-rejected.on-custodian-acceptance'] as const) : []),
        ],
      });
    }
  },
});

/**
 * Makers with a quote that was certainly PENDING when another's was selected. If a maker has two quotes (gap
 * `quote.twice`), either of them lost if both were valid for long enough.
 */
export function losersOf(
  view: HistoryView,
  trace: OrderTrace,
  winner: QuoteTrace,
  call: Call,
): readonly string[] {
  // A backend may follow a while later (gap `views.lag`), and look at the deadline first.
  const latest = call.exchange.received + view.context.offset.most + tolerance.replicationLagMs;
  const stood = ({ submission, snapshots }: QuoteTrace): boolean => {
    const deadline = timestampIn(snapshots, 'valid_until');
    return (
      submission !== undefined &&
      precedes(submission, call) &&
      deadline !== undefined &&
      latest < deadline
    );
  };
  return [...new Set(trace.quotes.flatMap(({ maker }) => maker ?? []))].filter((maker) => {
    const quotes = trace.quotes.filter((quote) => quote.maker === maker);
    return (
      maker !== winner.maker &&
      quotes.every(stood) &&
      submissionsBy(trace, maker).every((one) => one.ok && precedes(one, call))
    );
  });
}
