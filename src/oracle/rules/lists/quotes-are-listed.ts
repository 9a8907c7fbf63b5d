import { tolerance } from '../../../protocol/tolerances.ts';
import { quoteStates } from '../../../spec/vocabulary.ts';
import { defineRule } from '../../findings.ts';
import { mayHaveTakenEffect } from '../../trace/calls.ts';
import { relationOf } from '../../trace/event-delivery.ts';
import type { OrderTrace, QuoteTrace } from '../../trace/traces.ts';
import { quoteStateOf } from '../../trace/traces.ts';
import {
  isPastLag,
  latestOrders,
  leftOut,
  stayedIn,
  type WholeList,
  wholeLists,
} from './must-be-listed.ts';
import { statusAsked } from './pages.ts';

/**
 * True if a later quote of the same maker may have replaced the quote (gap `quote.twice`). False if the order side is
 * shown the earlier one, PENDING, after the later one was taken.
 */
function mayBeReplaced(quote: QuoteTrace, { submissions }: OrderTrace): boolean {
  const { submission, maker, snapshots } = quote;
  const later = submissions.filter(
    (call) =>
      call.party === maker && mayHaveTakenEffect(call) && call.close > (submission?.close ?? 0),
  );
  if (later.length === 0) return false;
  const taken = Math.max(...later.map(({ exchange }) => exchange.received));
  return !snapshots.some(
    (seen) =>
      seen.via === 'order.quotes' &&
      quoteStateOf(seen) === 'PENDING' &&
      seen.from >= taken + tolerance.replicationLagMs,
  );
}

export const quotesAreListed = defineRule({
  id: 'list.completeness.quotes',
  title: "A quote is on its order's list, on its maker's under the request, and on that of all",
  requirements: [
    'order.quotes.complete',
    'order.quotes.custodian-sees-same',
    'quote.submit.shown-to-order-side',
    'rfq.quotes.complete',
    'quote.list.complete',
    'quote.list.status-filter.complete',
  ],
  judge(view, findings) {
    type Requirement = Parameters<typeof findings.assert>[0];
    const expectListed = (
      requirements: readonly Requirement[],
      list: WholeList,
      trace: OrderTrace,
      isDue: (quote: QuoteTrace) => boolean = () => true,
    ): void => {
      for (const quote of trace.quotes) {
        const { submission, id } = quote;
        if (!submission || !isPastLag(submission, list.walk) || !isDue(quote)) continue;
        if (mayBeReplaced(quote, trace)) continue;
        for (const requirement of requirements) {
          const source = list.walk.first.id;
          findings.assert(requirement, list.ids.has(id), source, leftOut(list, id, submission.id));
        }
      }
    };
    const orderOf = ({ walk }: WholeList): OrderTrace | undefined =>
      view.orders.get(walk.first.exchange.params.intent_id ?? '');

    for (const list of wholeLists(view, 'order.quotes')) {
      const trace = orderOf(list);
      if (!trace) continue;
      const relation = relationOf(view, trace, list.party);
      const side =
        relation === 'sender'
          ? 'quote.submit.shown-to-order-side'
          : 'order.quotes.custodian-sees-same';
      if (relation !== 'sender' && relation !== 'sender-custodian') continue;
      expectListed(['order.quotes.complete', side], list, trace);
    }
    for (const list of wholeLists(view, 'rfq.quotes')) {
      const trace = orderOf(list);
      const isOwn = (quote: QuoteTrace): boolean => quote.maker === list.party;
      if (trace) expectListed(['rfq.quotes.complete'], list, trace, isOwn);
    }
    const latest = latestOrders(view);
    for (const list of wholeLists(view, 'quote.list')) {
      const asked = statusAsked(list.walk.first);
      if (asked !== undefined && !quoteStates.some((state) => state === asked)) continue;
      // An accepted quote may change once more when its order ends (gap `cancel.accepted_quote`).
      const lasts = asked === 'REJECTED' || asked === 'EXPIRED';
      const isDue = ({ maker, snapshots }: QuoteTrace): boolean =>
        maker === list.party &&
        (asked === undefined ||
          stayedIn(snapshots, list.walk, (seen) => quoteStateOf(seen) === asked, lasts));
      const requirement = asked ? 'quote.list.status-filter.complete' : 'quote.list.complete';
      for (const trace of latest(list.walk)) expectListed([requirement], list, trace, isDue);
    }
  },
});
