import { acceptanceFields } from '../../../spec/requirements/index.ts';
import { failureReasonIn, reasonShown } from '../../../protocol/failure-reason.ts';
import { isSet } from '../../../protocol/json.ts';
import { type FailureReason, failureReasons } from '../../../spec/vocabulary.ts';
import { acceptedStates } from '../../../spec/states.ts';
import { defineRule } from '../../findings.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import { certainSelection } from '../../trace/selected-quote.ts';
import { timestampIn, type Snapshot } from '../../trace/snapshots.ts';
import { targetClockOf } from '../../trace/target-clock.ts';
import { possiblyEffective, type OrderTrace, orderStateOf } from '../../trace/traces.ts';
import { isUnsettled, strangersQuote } from './ended-orders.ts';

/** True if a quote may have been accepted, by anybody. */
const mayBeAccepted = ({ acceptances, snapshots }: OrderTrace): boolean =>
  possiblyEffective(acceptances).length > 0 ||
  snapshots.some(
    (seen) =>
      acceptedStates.some((state) => state === orderStateOf(seen)) ||
      acceptanceFields.some((field) => isSet(seen.value[field])),
  );

/** A quote that was refused may still be why none was good enough. */
const mayBeQuoted = (view: HistoryView, { submissions, quotes }: OrderTrace): boolean =>
  submissions.length + quotes.length > 0 || view.once(strangersQuote);

/** 3.1: a settlement that reverts fails its order. Only one whose quote had lapsed by then may have expired instead. */
function hasExpiredByRevert(view: HistoryView, trace: OrderTrace, seen: Snapshot): boolean {
  const [, quote] = certainSelection(view, trace) ?? [];
  const validUntil = quote && timestampIn(quote.snapshots, 'valid_until');
  const isReverted = failureReasonIn(seen.value) === 'REVERT' && orderStateOf(seen) === 'EXPIRED';
  return isReverted && validUntil !== undefined && targetClockOf(view).before(seen, validUntil);
}

interface Objection {
  /** Why an order cannot have ended for its reason. */
  readonly why: string;
  readonly barred: readonly FailureReason[];
}

/** Undefined if the order may have ended for its reason. */
function objection(view: HistoryView, trace: OrderTrace, seen: Snapshot): Objection | undefined {
  const reason = failureReasonIn(seen.value);
  if (hasExpiredByRevert(view, trace, seen))
    return { why: 'that expired before its quote lapsed', barred: ['REVERT'] };
  // A fault that was asked for explains any reason, but no wrong end.
  if (view.disturbed(trace.id)) return undefined;
  const isOfSettlement = reason === 'TIMEOUT' || reason === 'REVERT';
  if (isOfSettlement && !mayBeAccepted(trace))
    return { why: 'of which no quote was accepted', barred: ['TIMEOUT', 'REVERT'] };
  if (reason === 'SLIPPAGE' && !mayBeQuoted(view, trace))
    return { why: 'that nobody quoted', barred: ['SLIPPAGE'] };
  return undefined;
}

/** 2.2, 7.2: each reason has its meaning. Reasons of cancelled orders are judged with the cancels. */
export const failureReasonApplies = defineRule({
  id: 'order.failure-reason-applies',
  title: 'No order ends for a reason that it cannot have',
  requirements: ['order.failure-reason.applies'],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      if (!trace.creation) continue;
      if (possiblyEffective(trace.cancels).length > 0) continue;
      for (const snapshot of trace.snapshots) {
        const reason = failureReasonIn(snapshot.value);
        if (reason === undefined || !isUnsettled(snapshot)) continue;
        const against = objection(view, trace, snapshot);
        findings.assert('order.failure-reason.applies', !against, snapshot.source, () => ({
          message: `an order ${against?.why} ended with the reason ${reason}`,
          must: { one_of: failureReasons.filter((one) => !against?.barred.includes(one)) },
          ...reasonShown(snapshot.value),
          evidence: [trace.creation?.id ?? '', snapshot.source],
        }));
      }
    }
  },
});
