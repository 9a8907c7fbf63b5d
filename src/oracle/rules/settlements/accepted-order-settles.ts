import { tolerance } from '../../../protocol/tolerances.ts';
import { isTerminal } from '../../../spec/states.ts';
import { defineRule } from '../../findings.ts';
import { framesOn } from '../../trace/event-delivery.ts';
import { type Call, precedes } from '../../trace/calls.ts';
import { mustSettleAfter } from '../../trace/must-settle.ts';
import { certainSelection } from '../../trace/selected-quote.ts';
import { type OrderTrace, orderStateOf } from '../../trace/traces.ts';

export const acceptedOrderSettles = defineRule({
  id: 'settlement.completion',
  title: 'An order with an accepted quote goes from QUOTED over EXECUTING to SETTLED by itself',
  requirements: [
    'order.state.quoted-to-executing',
    'order.state.executing-to-settled',
    'service.order-to-settlement',
    'quote.accept.custodian-order-settles',
  ],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      const [selection] = certainSelection(view, trace) ?? [];
      if (!trace.creation || !selection || view.disturbed(trace.id)) continue;
      judgeExecuting(trace, selection);
      const call = mustSettleAfter(view, trace);
      if (call) judgeSettled(trace, call);
    }

    /** A state may be too short to be read; an event announces it all the same, where its stream was open throughout. */
    function judgeExecuting(trace: OrderTrace, call: Call): void {
      const requirement = 'order.state.quoted-to-executing';
      const executing = trace.snapshots.find((seen) => orderStateOf(seen) === 'EXECUTING');
      if (executing) {
        findings.pass(requirement, executing.source);
        return;
      }
      for (const stream of new Set(trace.frames.map(({ stream: one }) => one))) {
        const settled = framesOn(trace, stream, 'order_updated').find(
          ({ payload }) => payload?.['status'] === 'SETTLED',
        );
        if (!settled || !precedes(stream.call, call)) continue;
        findings.fail(requirement, {
          message:
            'an order went to SETTLED without ever being EXECUTING, by its reads and its events',
          expected: 'QUOTED, then EXECUTING, then SETTLED',
          evidence: [call.id, settled.id],
        });
        return;
      }
    }

    function judgeSettled({ snapshots }: OrderTrace, call: Call): void {
      for (const seen of snapshots) {
        const state = orderStateOf(seen);
        const isOver = state !== undefined && isTerminal(state);
        const isLate = seen.from >= call.exchange.received + tolerance.settlement;
        if (!state || !(isOver || isLate)) continue;
        for (const requirement of [
          'order.state.executing-to-settled',
          'service.order-to-settlement',
          ...(call.exchange.role === 'custodian'
            ? (['quote.accept.custodian-order-settles'] as const)
            : []),
        ] as const) {
          findings.assert(requirement, state === 'SETTLED', seen.source, () => ({
            message: `an order was ${state} after its quote was accepted, and nothing stood in its way`,
            expected: `SETTLED, within ${tolerance.settlement / 1_000} s`,
            actual: state,
            evidence: [call.id, seen.source],
          }));
        }
      }
    }
  },
});
