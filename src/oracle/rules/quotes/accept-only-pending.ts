import type { OrderState } from '../../../spec/vocabulary.ts';
import { textAt } from '../../../protocol/json.ts';
import { defineRule } from '../../findings.ts';
import { type Call, precedes } from '../../trace/calls.ts';
import { possiblyEffective, type OrderTrace, orderStateOf } from '../../trace/traces.ts';
import { seenBefore } from '../orders/cancel-refused-while-executing.ts';

const beyondPending: readonly OrderState[] = ['QUOTED', 'EXECUTING', 'SETTLED'];

export const acceptanceNeeded = defineRule({
  id: 'order.acceptance-needed',
  title: 'No order leaves PENDING for QUOTED without the acceptance of a quote',
  requirements: ['order.state.quote-needed', 'error.refusal-changes-nothing'],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      if (!trace.creation) continue;
      const snapshot = trace.snapshots.find((seen) => {
        const state = orderStateOf(seen);
        return state !== undefined && beyondPending.includes(state);
      });
      const attempts = trace.acceptances.filter((call) => !snapshot || call.open < snapshot.close);
      const effective = possiblyEffective(attempts);
      if (!snapshot) {
        const refused = attempts.find((call) => call.status !== undefined && !call.ok);
        if (refused && trace.snapshots.some((seen) => precedes(refused, seen))) {
          findings.pass('error.refusal-changes-nothing', refused.id);
        }
        continue;
      }
      if (effective.length > 0) {
        findings.pass('order.state.quote-needed', snapshot.source);
        continue;
      }
      const refused = attempts.at(-1);
      const requirement = refused ? 'error.refusal-changes-nothing' : 'order.state.quote-needed';
      findings.fail(requirement, {
        message: `an order was ${orderStateOf(snapshot)} though ${refused ? 'every acceptance of a quote was refused' : 'nobody accepted a quote'}`,
        actual: orderStateOf(snapshot),
        evidence: [...(refused ? [refused.id] : []), snapshot.source],
      });
    }
  },
});

export const acceptances = defineRule({
  id: 'order.acceptances',
  title: 'A quote is accepted once, on a PENDING order only, and the answer says so',
  requirements: [
    'quote.accept.returns-quoted',
    'quote.accept.custodian-returns-quoted',
    'order.accept.expired-order-refused',
    'order.accept.settled-order-refused',
    'order.accept.cancelled-order-refused',
    'order.accept.second-quote-refused',
    'quote.state.one-accepted-under-race',
  ],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      for (const call of trace.acceptances) {
        if (call.status === undefined) continue;
        judgeRefusal(trace, call);
        if (call.ok && call.own) judgeAnswer(trace, call);
      }
      judgeRaces(trace);
    }

    function judgeRefusal(trace: OrderTrace, call: Call): void {
      const refused = (
        requirement:
          | 'order.accept.expired-order-refused'
          | 'order.accept.settled-order-refused'
          | 'order.accept.cancelled-order-refused'
          | 'order.accept.second-quote-refused',
        when: string,
        since: string,
      ): void => {
        findings.assert(requirement, !call.ok, call.id, () => ({
          message: `a quote was accepted on an order ${when}`,
          expected: 'a 4xx status',
          actual: call.status,
          evidence: [since, call.id],
        }));
      };
      const quoteId = call.exchange.params.quote_id;
      const first = trace.acceptances.find((other) => other.ok && precedes(other, call));
      // Accepting the accepted quote again is open (gap `accept.again`).
      if (first && first.exchange.params.quote_id === quoteId) return;
      if (first) refused('order.accept.second-quote-refused', 'with another accepted', first.id);
      const cancelled = trace.cancels.find((other) => other.ok && precedes(other, call));
      const ended = seenBefore(trace, call, ['SETTLED', 'EXPIRED', 'FAILED']);
      if (!ended) return;
      const state = orderStateOf(ended);
      if (state === 'SETTLED') {
        refused('order.accept.settled-order-refused', 'that had settled', ended.source);
      } else if (cancelled) {
        refused('order.accept.cancelled-order-refused', 'that was cancelled', cancelled.id);
      } else if (state === 'EXPIRED') {
        refused('order.accept.expired-order-refused', 'that had expired', ended.source);
      }
    }

    function judgeAnswer(trace: OrderTrace, call: Call): void {
      const again = trace.acceptances.some(
        (other) => other !== call && other.open < call.close && other.ok,
      );
      // An acceptance above the maximum may fail the order (gap `quote.above_max`).
      const status = textAt(call.data, 'status');
      if (again || status === 'FAILED') return;
      const requirement =
        call.exchange.role === 'custodian'
          ? 'quote.accept.custodian-returns-quoted'
          : 'quote.accept.returns-quoted';
      findings.assert(requirement, status === 'QUOTED', call.id, () => ({
        message: 'the answer to an acceptance did not show the order as QUOTED',
        expected: 'QUOTED',
        actual: status ?? null,
        evidence: [call.id],
      }));
    }

    function judgeRaces(trace: OrderTrace): void {
      const { acceptances: calls } = trace;
      for (const [index, call] of calls.entries()) {
        for (const other of calls.slice(index + 1)) {
          const together = !precedes(call, other) && !precedes(other, call);
          if (!together || call.exchange.params.quote_id === other.exchange.params.quote_id)
            continue;
          if (call.status === undefined || other.status === undefined) continue;
          findings.assert(
            'quote.state.one-accepted-under-race',
            !(call.ok && other.ok),
            other.id,
            () => ({
              message: 'two acceptances of different quotes sent at once both succeeded',
              evidence: [call.id, other.id],
            }),
          );
        }
      }
    }
  },
});
