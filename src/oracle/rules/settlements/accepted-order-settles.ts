import { tolerance } from '../../../protocol/tolerances.ts';
import { compare, equalNumbers, parseDecimal } from '../../../protocol/decimal.ts';
import { isSet } from '../../../protocol/json.ts';
import { unsettledStates } from '../../../spec/states.ts';
import { defineRule } from '../../findings.ts';
import { framesOn } from '../../trace/event-delivery.ts';
import { type Call, precedes } from '../../trace/calls.ts';
import type { HistoryView } from '../../trace/history-view.ts';
import { certainSelection } from '../../trace/selected-quote.ts';
import { timestampIn } from '../../trace/snapshots.ts';
import { isReplacedInPlace } from '../../trace/submitted-quotes.ts';
import {
  possiblyEffective,
  type OrderTrace,
  orderStateOf,
  type QuoteTrace,
} from '../../trace/traces.ts';
import { mayBeWithdrawn } from '../orders/expires-at-deadline.ts';

/** A quote that is valid for so long after its acceptance outlasts any settlement of "about 4 seconds". */
const outlastsSettlementMs = tolerance.settlementMaxMs + 500;

/** By source contract, the creations that sent it: one contract may not pay twice (gap `order.contract_reuse`). */
const contractsSent = (view: HistoryView): ReadonlyMap<unknown, number> => {
  const times = new Map<unknown, number>();
  for (const { sent } of view.endpoint('order.create')) {
    const contract = sent?.['source_contract_id'];
    times.set(contract, (times.get(contract) ?? 0) + 1);
  }
  return times;
};

/** An acceptance above the maximum may fail the order a little later (gap `quote.above_max`). */
function isAffordable({ snapshots, sent }: OrderTrace, quote: QuoteTrace): boolean {
  const shown =
    quote.snapshots.map(({ value }) => value['source_amount']).find(isSet) ??
    snapshots.map(({ value }) => value['source_amount_actual']).find(isSet) ??
    (equalNumbers(quote.sent?.['fx_rate'], '1') ? sent?.['target_amount'] : undefined);
  const [price, most] = [parseDecimal(shown), parseDecimal(sent?.['source_amount_max'])];
  return price !== undefined && most !== undefined && compare(price, most) <= 0;
}

export const acceptedOrderSettles = defineRule({
  id: 'settlement.completion',
  title: 'An order with an accepted quote goes from QUOTED over EXECUTING to SETTLED by itself',
  requirements: [
    'order.state.pending-to-quoted',
    'order.state.quoted-to-executing',
    'order.state.executing-to-settled',
    'service.order-to-settlement',
    'quote.accept.custodian-order-settles',
  ],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      const [call, quote] = certainSelection(view, trace) ?? [];
      if (!trace.creation || !call || !quote || view.disturbed(trace.id)) continue;
      judgeQuoted(trace, call);
      judgeExecuting(trace, call);
      if (mustSettle(trace, call, quote)) judgeSettled(trace, call);
    }

    /** Once what is read has caught up with the acceptance (gap `views.lag`). */
    function judgeQuoted({ snapshots }: OrderTrace, call: Call): void {
      for (const seen of snapshots) {
        const isPast = seen.from > call.exchange.received + tolerance.replicationLagMs;
        const state = orderStateOf(seen);
        if (!state || !(isPast || seen.call === call)) continue;
        const holds = state !== 'PENDING';
        findings.assert('order.state.pending-to-quoted', holds, seen.source, () => ({
          message: `an order was PENDING after its quote was accepted (${seen.via})`,
          expected: 'QUOTED, EXECUTING or SETTLED',
          actual: state,
          evidence: [call.id, seen.source],
        }));
      }
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

    function mustSettle(trace: OrderTrace, { exchange }: Call, quote: QuoteTrace): boolean {
      const contract = trace.sent?.['source_contract_id'];
      const validity = timestampIn(quote.snapshots, 'valid_until');
      const needed = exchange.received + view.context.offset.most + outlastsSettlementMs;
      return (
        possiblyEffective(trace.cancels).length === 0 &&
        !mayBeWithdrawn(view, trace) &&
        !isReplacedInPlace(quote, trace) &&
        validity !== undefined &&
        validity >= needed &&
        isAffordable(trace, quote) &&
        (contract === undefined || (view.once(contractsSent).get(contract) ?? 0) <= 1)
      );
    }

    function judgeSettled({ snapshots }: OrderTrace, call: Call): void {
      for (const seen of snapshots) {
        const state = orderStateOf(seen);
        const isOver = state === 'SETTLED' || (state && unsettledStates.includes(state));
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
