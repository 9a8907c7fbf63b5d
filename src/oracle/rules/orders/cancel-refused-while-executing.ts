import type { OrderState } from '../../../spec/vocabulary.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { defineRule } from '../../findings.ts';
import { type Call, precedes } from '../../trace/calls.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import { type OrderTrace, orderStateOf } from '../../trace/traces.ts';

const unsettled: readonly OrderState[] = ['EXPIRED', 'FAILED'];

/** The first sighting that shows an order in a state before something was sent. */
export const seenBefore = (
  trace: OrderTrace,
  call: { readonly open: number },
  required: readonly OrderState[],
): Snapshot | undefined =>
  trace.snapshots.find((seen) => {
    const state = orderStateOf(seen);
    return state !== undefined && required.includes(state) && precedes(seen, call);
  });

/** Cancels that were answered with success when the order was not known to have ended before. */
export const effectiveCancels = (trace: OrderTrace): Call[] =>
  trace.cancels.filter(
    (call) => call.ok && !seenBefore(trace, call, ['SETTLED', 'EXPIRED', 'FAILED']),
  );

export const cancels = defineRule({
  id: 'order.cancels',
  title: 'A cancel works on PENDING and QUOTED orders only, and ends them unsettled',
  requirements: [
    'order.state.cancel-ends-order',
    'order.cancel.never-settles',
    'order.cancel.executing-refused',
    'order.cancel.settled-refused',
  ],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      if (trace.cancels.length === 0) continue;
      judgeRefusals(trace);
      const [first] = effectiveCancels(trace);
      if (!first || seenBefore(trace, first, ['EXECUTING'])) continue;
      for (const seen of trace.snapshots) {
        const state = orderStateOf(seen);
        if (!state) continue;
        // A cancel may be answered before it takes effect (gap `cancel.response`).
        const later = seen.from > first.exchange.received + tolerance.replicationLagMs;
        if (state === 'SETTLED') {
          findings.fail('order.cancel.never-settles', {
            message: 'a cancelled order was SETTLED',
            evidence: [first.id, seen.source],
          });
        } else if (later) findings.pass('order.cancel.never-settles', seen.source);
        if (!later && !unsettled.includes(state)) continue;
        if (!later && !precedes(first, seen) && seen.call !== first) continue;
        findings.assert(
          'order.state.cancel-ends-order',
          unsettled.includes(state),
          seen.source,
          () => ({
            message: `a cancelled order was ${state}`,
            expected: 'EXPIRED or FAILED',
            actual: state,
            evidence: [first.id, seen.source],
          }),
        );
      }
    }

    function judgeRefusals(trace: OrderTrace): void {
      for (const call of trace.cancels) {
        if (call.status === undefined) continue;
        for (const [state, requirement] of [
          ['SETTLED', 'order.cancel.settled-refused'],
          ['EXECUTING', 'order.cancel.executing-refused'],
        ] as const) {
          const known = seenBefore(trace, call, [state]);
          // By the time of the cancel an EXECUTING order may have failed and so be cancelled already.
          if (!known || (state === 'EXECUTING' && !isPlainSettlement(trace))) continue;
          findings.assert(requirement, !call.ok, call.id, () => ({
            message: `a cancel succeeded on an order that was ${state}`,
            expected: 'a 4xx status',
            actual: call.status,
            evidence: [known.source, call.id],
          }));
          break;
        }
      }
    }

    function isPlainSettlement(trace: OrderTrace): boolean {
      return (
        !view.disturbed(trace.id) &&
        !trace.cancels.some((call) => call.ok && !seenBefore(trace, call, ['EXECUTING']))
      );
    }
  },
});
