import { defineRule } from '../../findings.ts';
import { type OrderTrace, seenBefore } from '../../trace/traces.ts';

const tooLate = [
  ['SETTLED', 'order.cancel.settled-refused'],
  ['EXECUTING', 'order.cancel.executing-refused'],
] as const;

export const cancelTooLate = defineRule({
  id: 'order.cancels-too-late',
  title: 'A cancel is refused once its order is EXECUTING or SETTLED',
  requirements: ['order.cancel.executing-refused', 'order.cancel.settled-refused'],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      for (const call of trace.cancels) {
        if (call.status === undefined) continue;
        for (const [state, requirement] of tooLate) {
          const known = seenBefore(trace, call, [state]);
          if (!known || (state === 'EXECUTING' && mayHaveFailedSince(trace))) continue;
          findings.assert(requirement, !call.ok, call.id, () => ({
            message: `a cancel succeeded on an order that was ${state}`,
            deviation: 'let through',
            must: { refused: '4xx' },
            actual: call.status,
            evidence: [known.source, call.id],
          }));
          break;
        }
      }
    }

    /**
     * True if an order that was EXECUTING may have failed by the time of the cancel, or been cancelled before it was
     * EXECUTING.
     */
    function mayHaveFailedSince(trace: OrderTrace): boolean {
      return (
        view.disturbed(trace.id) ||
        trace.cancels.some((call) => call.ok && !seenBefore(trace, call, ['EXECUTING']))
      );
    }
  },
});
