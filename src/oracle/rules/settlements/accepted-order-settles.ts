import { tolerance } from '../../../protocol/tolerances.ts';
import { isTerminal } from '../../../spec/states.ts';
import { defineRule } from '../../findings.ts';
import { framesOn } from '../../trace/event-delivery.ts';
import { type Call, precedes } from '../../trace/calls.ts';
import { mustSettleAfter } from '../../trace/must-settle.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import { isAnswered } from '../../../results/findings.ts';
import { certainSelection } from '../../trace/selected-quote.ts';
import { type OrderTrace, orderStateOf } from '../../trace/traces.ts';

/** Far beyond "about 4 seconds", and more often than not beyond the window of a settlement. */
const longMs = 120_000;

interface Accepted {
  readonly trace: OrderTrace;
  /** When the acceptance was answered. */
  readonly since: number;
}

const hasEnded = (seen: Snapshot): boolean => {
  const state = orderStateOf(seen);
  return state !== undefined && isTerminal(state);
};

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
    const accepted: Accepted[] = [];
    for (const trace of view.orders.values()) {
      const [selection] = certainSelection(view, trace) ?? [];
      if (!trace.creation || !selection || view.disturbed(trace.id)) continue;
      accepted.push({ trace, since: selection.exchange.received });
      judgeExecuting(trace, selection);
      const call = mustSettleAfter(view, trace);
      if (call) judgeSettled(trace, call);
    }
    judgeLasting();

    /** The maximum duration of a settlement is open (gap `settlement.window`), until this target has shown it. */
    function judgeLasting(): void {
      const ended = accepted.filter(({ trace, since }) =>
        trace.snapshots.some((seen) => hasEnded(seen) && seen.to <= since + longMs),
      );
      const lasting = accepted.flatMap(({ trace, since }) => {
        const seen = trace.snapshots.findLast((one) => orderStateOf(one) !== undefined);
        return seen && !hasEnded(seen) && seen.from > since + longMs ? [{ seen, since }] : [];
      });
      if (ended.length === 0) return;
      const say = isAnswered(ended.length, lasting.length) ? findings.fail : findings.warn;
      for (const { seen, since } of lasting) {
        say('service.order-to-settlement', {
          departure: 'settling-for-long',
          message: 'an order with an accepted quote had not ended when others of this target had',
          must: {
            words: `SETTLED, EXPIRED or FAILED within ${longMs / 1_000} s, as ${ended.length} others`,
          },
          actual: `${orderStateOf(seen)} after ${Math.round((seen.from - since) / 1_000)} s`,
          evidence: [seen.source],
        });
      }
    }

    /** A state may be too short to be read; an event announces it anyway, if its stream was open throughout. */
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
          must: { words: 'QUOTED, then EXECUTING, then SETTLED' },
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
            must: { words: `SETTLED, within ${tolerance.settlement / 1_000} s` },
            actual: state,
            evidence: [call.id, seen.source],
          }));
        }
      }
    }
  },
});
