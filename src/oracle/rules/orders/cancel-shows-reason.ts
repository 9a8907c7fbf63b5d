import { failureReasonIn } from '../../../protocol/failure-reason.ts';
import { defineRule } from '../../findings.ts';
import { precedes } from '../../trace/calls.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import { effectiveCancels, type OrderTrace, orderStateOf } from '../../trace/traces.ts';
import { isUnsettled } from './ended-orders.ts';

/**
 * `read`: a whole order that was read; `event`: the part of one in an event. Reasons may show in one and not in the
 * other.
 */
const placeOf = ({ whole, frame }: Snapshot): 'read' | 'event' | undefined =>
  whole ? 'read' : frame && 'event';

const requirement = 'order.failure-reason.user-cancelled';

const showsReason = ({ value }: Snapshot): boolean => failureReasonIn(value) !== undefined;

/**
 * It is open which field shows a reason, and if any does. If other ended orders show theirs, the cancelled ones are
 * expected to. That is a warning, since the document does not say so, until other cancelled orders of this target have
 * shown theirs in the same place.
 */
export const cancelShowsReason = defineRule({
  id: 'order.cancel-reasons-shown',
  title: 'Where orders show why they ended, those that were cancelled do',
  requirements: [requirement],
  judge(view, findings) {
    const endings = [...view.orders.values()].map((trace) => ({
      trace,
      cancel: effectiveCancels(trace)[0],
      ended: trace.snapshots.filter(isUnsettled),
    }));
    const showing = new Map(
      endings
        .filter(({ cancel }) => !cancel)
        .flatMap(({ ended }) => ended)
        .filter(showsReason)
        .map((seen) => [placeOf(seen), seen]),
    );
    for (const { trace, cancel, ended } of endings) {
      if (!cancel || view.disturbed(trace.id) || wasUnderWay(trace)) continue;
      const isShown = ended.some(showsReason);
      for (const place of ['read', 'event'] as const) {
        const there = ended.filter((seen) => placeOf(seen) === place && precedes(cancel, seen));
        const shown = there.find(showsReason);
        const [silent] = there;
        const other = showing.get(place);
        if (shown) findings.pass(requirement, shown.source, 1, place);
        // No more of an order is promised of events than its state: a reason that is read answers for them.
        else if (silent && other && !(isShown && place === 'event'))
          findings.warn(requirement, {
            departure: 'reason-not-shown',
            circumstances: place,
            message: 'a cancelled order showed no reason where others show theirs',
            expected: 'USER_CANCELLED',
            actual: silent.value,
            evidence: [cancel.id, silent.source, other.source],
          });
      }
    }
  },
});

/** True if something else may have ended the order as it was cancelled. */
const wasUnderWay = ({ snapshots }: OrderTrace): boolean =>
  snapshots.some((seen) => orderStateOf(seen) === 'EXECUTING');
