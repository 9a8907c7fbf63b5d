import { defineRule } from '../../findings.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import { timestampIn } from '../../trace/snapshots.ts';
import { intervalOf, targetClockOf } from '../../trace/target-clock.ts';
import { type OrderTrace, orderStateOf, possiblyEffective } from '../../trace/traces.ts';
import { isPastLag, latestOrders, leftOut, wholeLists } from './must-be-listed.ts';
import type { Walk } from './page-walk.ts';

/** Whether makers are told of an order only once its proposal was accepted (gap `proposal.effect`), or may be. */
function mayAwaitProposal(view: HistoryView): boolean {
  const effect = view.context.answers('proposal.effect');
  if (effect !== undefined) return effect === 'opens-quoting';
  const opened = ({ proposals, rfqs, submissions }: OrderTrace): boolean =>
    possiblyEffective(proposals).length === 0 &&
    (rfqs.length > 0 || submissions.some(({ ok }) => ok));
  return ![...view.orders.values()].some(opened);
}

/** Whether an order was PENDING, well before its deadline, until a list had been shown to its end. */
function isSurelyActive(view: HistoryView, trace: OrderTrace, walk: Walk): boolean {
  const { acceptances, cancels, snapshots } = trace;
  const isTouched = possiblyEffective([...acceptances, ...cancels]).some(
    (call) => call.open < walk.last.close,
  );
  if (isTouched || view.disturbed(trace.id)) return false;
  if (snapshots.some((seen) => orderStateOf(seen) === 'FAILED')) return false;
  const expiry = timestampIn(snapshots, 'expires_at');
  return expiry !== undefined && targetClockOf(view).before(intervalOf(walk.last), expiry);
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
    const latest = latestOrders(view);
    const waits = mayAwaitProposal(view);
    for (const list of wholeLists(view, 'rfq.list')) {
      for (const { trace, creation } of latest(list.walk).flatMap((one) =>
        one.creation ? [{ trace: one, creation: one.creation }] : [],
      )) {
        const { walk, party } = list;
        if (!isPastLag(creation, walk) || !isSurelyActive(view, trace, walk)) continue;
        // Whether a request stays active for a maker that has quoted it is open (gap `rfq.active`).
        if (possiblyEffective(trace.submissions).some((call) => call.party === party)) continue;
        const seen = trace.rfqs.find((rfq) => rfq.call && isPastLag(rfq.call, walk));
        const quoted = trace.submissions.find((call) => call.ok && isPastLag(call, walk));
        if (waits && !seen && !quoted) continue;
        const requirements = [
          'rfq.list.complete',
          'rfq.list.holds-new-request',
          ...(seen && seen.party !== party ? (['rfq.list.same-for-every-maker'] as const) : []),
          ...(quoted ? (['rfq.list.still-listed-once-quoted'] as const) : []),
        ] as const;
        for (const requirement of requirements) {
          const violation = leftOut(list, trace.id, creation.id);
          findings.assert(requirement, list.ids.has(trace.id), walk.first.id, violation);
        }
      }
    }
  },
});
