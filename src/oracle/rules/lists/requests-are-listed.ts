import { defineRule } from '../../findings.ts';
import type { Call } from '../../trace/calls.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import { timestampIn } from '../../trace/snapshots.ts';
import { intervalOf, targetClockOf } from '../../trace/target-clock.ts';
import { type OrderTrace, orderStateOf, possiblyEffective } from '../../trace/traces.ts';
import { isPastLag, latestOrders, leftOut, type Look, wholeLists } from './must-be-listed.ts';

/** True if makers are told of an order only once its proposal was accepted (gap `proposal.effect`), or may be. */
function mayAwaitProposal(view: HistoryView): boolean {
  const effect = view.context.answers('proposal.effect');
  if (effect !== undefined) return effect === 'opens-quoting';
  const opened = ({ proposals, rfqs, submissions }: OrderTrace): boolean =>
    possiblyEffective(proposals).length === 0 &&
    (rfqs.length > 0 || submissions.some(({ ok }) => ok));
  return ![...view.orders.values()].some(opened);
}

/** True if the order was PENDING, well before its deadline, until the list had been shown to its end. */
function isSurelyActive(view: HistoryView, trace: OrderTrace, { last }: Look): boolean {
  const { acceptances, cancels, snapshots } = trace;
  const isTouched = possiblyEffective([...acceptances, ...cancels]).some(
    (call) => call.open < last.close,
  );
  if (isTouched || view.disturbed(trace.id)) return false;
  if (snapshots.some((seen) => orderStateOf(seen) === 'FAILED')) return false;
  const expiry = timestampIn(snapshots, 'expires_at');
  return expiry !== undefined && targetClockOf(view).before(intervalOf(last), expiry);
}

/** A request that must be on the list of a maker, with the calls that prove it. */
export interface DueRequest {
  readonly trace: OrderTrace;
  readonly creation: Call;
  /** The first answer that showed the request, long enough ago. */
  readonly seen: Call | undefined;
  readonly quoted: Call | undefined;
}

/** The requests that must be on the list of active ones, for the maker who looked at it. */
export function requestsDue(view: HistoryView): (look: Look) => readonly DueRequest[] {
  const latest = latestOrders(view);
  const waits = mayAwaitProposal(view);
  return (look) =>
    latest(look).flatMap((trace) => {
      const { creation } = trace;
      if (!creation || !isPastLag(creation, look) || !isSurelyActive(view, trace, look)) return [];
      // It is open if a request stays active for a maker that has quoted it (gap `rfq.active`).
      const { party } = look.first;
      if (possiblyEffective(trace.submissions).some((call) => call.party === party)) return [];
      const seen = trace.rfqs.find((rfq) => rfq.call && isPastLag(rfq.call, look))?.call;
      const quoted = trace.submissions.find((call) => call.ok && isPastLag(call, look));
      return waits && !seen && !quoted ? [] : [{ trace, creation, seen, quoted }];
    });
}

export const requestsAreListed = defineRule({
  id: 'list.completeness.requests',
  title: 'A request is on the list of every maker for as long as its order is PENDING',
  requirements: [
    'rfq.list.complete',
    'rfq.list.holds-new-request',
    'rfq.list.same-for-every-maker',
    'rfq.list.still-listed-once-quoted',
  ],
  judge(view, findings) {
    const due = requestsDue(view);
    for (const list of wholeLists(view, 'rfq.list')) {
      for (const { trace, creation, seen, quoted } of due(list.walk)) {
        const requirements = [
          'rfq.list.complete',
          'rfq.list.holds-new-request',
          ...(seen && seen.party !== list.party
            ? (['rfq.list.same-for-every-maker'] as const)
            : []),
          ...(quoted ? (['rfq.list.still-listed-once-quoted'] as const) : []),
        ] as const;
        for (const requirement of requirements) {
          const violation = leftOut(list, trace.id, creation.id);
          findings.assert(requirement, list.ids.has(trace.id), list.walk.first.id, violation);
        }
      }
    }
  },
});
