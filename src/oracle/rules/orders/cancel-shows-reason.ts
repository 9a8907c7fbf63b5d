import { failureReasonIn } from '../../../protocol/failure-reason.ts';
import { defineRule } from '../../findings.ts';
import { precedes } from '../../trace/calls.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import { effectiveCancels, type OrderTrace, orderStateOf } from '../../trace/traces.ts';
import { isUnsettled } from './ended-orders.ts';

/** A whole order where it was read, or what an event carried of one: reasons may show in one and not in the other. */
const placeOf = ({ whole, frame }: Snapshot): 'read' | 'event' | undefined =>
  whole ? 'read' : frame && 'event';

/**
 * Which field shows a reason is open, and so is whether any does. Where other orders that ended show theirs, the cancelled
 * ones are expected to: a warning, since nobody says so.
 */
export const cancelShowsReason = defineRule({
  id: 'order.cancel-reasons-shown',
  title: 'Where orders show why they ended, those that were cancelled do',
  requirements: ['order.failure-reason.user-cancelled'],
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
        .filter(({ value }) => failureReasonIn(value) !== undefined)
        .map((seen) => [placeOf(seen), seen]),
    );
    for (const { trace, cancel, ended } of endings) {
      if (!cancel || view.disturbed(trace.id) || wasUnderWay(trace)) continue;
      if (ended.some(({ value }) => failureReasonIn(value) !== undefined)) continue;
      const silent = ended.find((seen) => precedes(cancel, seen) && showing.has(placeOf(seen)));
      const other = silent && showing.get(placeOf(silent));
      if (!other) continue;
      findings.warn('order.failure-reason.user-cancelled', {
        departure: 'reason-not-shown',
        message: 'a cancelled order showed no reason where others show theirs',
        expected: 'USER_CANCELLED',
        actual: silent.value,
        evidence: [cancel.id, silent.source, other.source],
      });
    }
  },
});

/** Whether something else may have ended the order as it was cancelled. */
const wasUnderWay = ({ snapshots }: OrderTrace): boolean =>
  snapshots.some((seen) => orderStateOf(seen) === 'EXECUTING');
