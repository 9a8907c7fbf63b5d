import { unsettledStates } from '../../../spec/states.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { defineRule } from '../../findings.ts';
import { precedes } from '../../trace/calls.ts';
import { effectiveCancels, orderStateOf, seenBefore } from '../../trace/traces.ts';

export const cancelEndsOrder = defineRule({
  id: 'order.cancels',
  title: 'A cancelled order ends EXPIRED or FAILED, and never settles',
  requirements: ['order.state.cancel-ends-order', 'order.cancel.never-settles'],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      const [first] = effectiveCancels(trace);
      if (!first || seenBefore(trace, first, ['EXECUTING'])) continue;
      for (const seen of trace.snapshots) {
        const state = orderStateOf(seen);
        if (!state) continue;
        const hasEnded = unsettledStates.includes(state);
        // A cancel may be answered before it takes effect (gap `cancel.response`).
        const isLater = seen.from > first.exchange.received + tolerance.replicationLagMs;
        if (state === 'SETTLED') {
          findings.fail('order.cancel.never-settles', {
            message: 'a cancelled order was SETTLED',
            fields: ['status'],
            evidence: [first.id, seen.source],
          });
        } else if (isLater) findings.pass('order.cancel.never-settles', seen.source);
        if (!isLater && !(hasEnded && (precedes(first, seen) || seen.call === first))) continue;
        findings.assert('order.state.cancel-ends-order', hasEnded, seen.source, () => ({
          message: `a cancelled order was ${state}`,
          must: { one_of: ['EXPIRED', 'FAILED'] },
          actual: state,
          evidence: [first.id, seen.source],
        }));
      }
    }
  },
});
