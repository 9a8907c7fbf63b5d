import { textOf } from '../../../protocol/json.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { acceptedStates, terminalOrderStates } from '../../../spec/states.ts';
import { defineRule } from '../../findings.ts';
import { type Call, letThrough, precedes } from '../../trace/calls.ts';
import { certainSelection, mayBeReplaced } from '../../trace/selections.ts';
import { timestampIn } from '../../trace/snapshots.ts';
import {
  isIn,
  mayHaveChanged,
  orderStateOf,
  type OrderTrace,
  seenBefore,
} from '../../trace/traces.ts';

const acceptanceNeeded = defineRule({
  id: 'order.acceptance-needed',
  title: 'No order leaves PENDING for QUOTED without the acceptance of a quote',
  requirements: ['order.state.quote-needed', 'error.refusal-changes-nothing'],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      if (!trace.creation) continue;
      const accepted = trace.snapshots.find(isIn(...acceptedStates));
      if (!accepted) {
        const refused = trace.acceptances.find((call) => call.status !== undefined && !call.ok);
        if (refused && trace.snapshots.some((seen) => precedes(refused, seen)))
          findings.pass('error.refusal-changes-nothing', refused.id);
        continue;
      }
      const { source, close } = accepted;
      const state = orderStateOf(accepted);
      if (mayHaveChanged(trace.acceptances, accepted)) {
        findings.pass('order.state.quote-needed', source);
        continue;
      }
      const refused = trace.acceptances.findLast((call) => call.open < close);
      findings.fail(refused ? 'error.refusal-changes-nothing' : 'order.state.quote-needed', {
        message: `an order was ${state} though ${refused ? 'every acceptance of a quote was refused' : 'nobody accepted a quote'}`,
        actual: state,
        evidence: [...(refused ? [refused.id] : []), source],
      });
    }
  },
});

const acceptanceMakesQuoted = defineRule({
  id: 'quote.accept-answer',
  title: 'An acceptance makes its order QUOTED: so its answer says, and no read shows PENDING then',
  requirements: [
    'quote.accept.returns-quoted',
    'quote.accept.custodian-returns-quoted',
    'order.state.pending-to-quoted',
  ],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      for (const call of trace.acceptances) if (call.ok && call.own) judgeAnswer(trace, call);
      const [selection] = certainSelection(view, trace) ?? [];
      if (selection && trace.creation && !view.disturbed(trace.id)) judgeReads(trace, selection);
    }

    function judgeAnswer({ acceptances: all }: OrderTrace, call: Call): void {
      const isRepeated = all.some((other) => other !== call && other.open < call.close && other.ok);
      // An acceptance above the maximum may fail the order (gap `quote.above_max`).
      const status = textOf(call.data, 'status');
      if (isRepeated || status === 'FAILED') return;
      const returns =
        call.exchange.role === 'custodian'
          ? 'quote.accept.custodian-returns-quoted'
          : 'quote.accept.returns-quoted';
      findings.assert(
        [returns, 'order.state.pending-to-quoted'],
        status === 'QUOTED',
        call.id,
        () => ({
          message: 'the answer to an acceptance did not show the order as QUOTED',
          deviation: 'missing',
          expected: 'QUOTED',
          actual: status ?? null,
        }),
      );
    }

    /** Once what is read has caught up with the acceptance (gap `views.lag`). */
    function judgeReads({ snapshots }: OrderTrace, { id, exchange }: Call): void {
      for (const { source, via, ...seen } of snapshots.filter((one) => orderStateOf(one))) {
        if (seen.from <= exchange.received + tolerance.replicationLagMs) continue;
        const isPending = seen.value['status'] === 'PENDING';
        findings.assert('order.state.pending-to-quoted', !isPending, source, () => ({
          message: `an order was PENDING after its quote was accepted (${via})`,
          must: { one_of: ['QUOTED', 'EXECUTING', 'SETTLED'] },
          actual: 'PENDING',
          evidence: [id, source],
        }));
      }
    }
  },
});

type Refused =
  | 'order.accept.expired-order-refused'
  | 'order.accept.settled-order-refused'
  | 'order.accept.cancelled-order-refused'
  | 'order.accept.second-quote-refused';

interface Hindrance {
  readonly requirement: Refused;
  /** As in "a quote was accepted on an order that had settled". */
  readonly when: string;
  readonly since: string;
}

/** Why an acceptance must be refused, by what was known of the order before it was sent. */
function* hindrancesOf(trace: OrderTrace, call: Call): Generator<Hindrance> {
  const first = trace.acceptances.find((other) => other.ok && precedes(other, call));
  // Accepting the accepted quote again is open (gap `accept.again`).
  if (first && first.exchange.params.quote_id === call.exchange.params.quote_id) return;
  if (first) {
    const requirement = 'order.accept.second-quote-refused';
    yield { requirement, when: 'with another accepted', since: first.id };
  }
  const ended = seenBefore(trace, call, terminalOrderStates);
  if (!ended) return;
  const cancel = trace.cancels.find((other) => other.ok && precedes(other, call));
  const state = orderStateOf(ended);
  if (state === 'SETTLED') {
    const requirement = 'order.accept.settled-order-refused';
    yield { requirement, when: 'that had settled', since: ended.source };
  } else if (cancel) {
    const requirement = 'order.accept.cancelled-order-refused';
    yield { requirement, when: 'that was cancelled', since: cancel.id };
  } else if (state === 'EXPIRED') {
    const requirement = 'order.accept.expired-order-refused';
    yield { requirement, when: 'that had expired', since: ended.source };
  }
}

const acceptances = defineRule({
  id: 'order.acceptances',
  title: 'A quote is accepted once, on a PENDING order only',
  requirements: [
    // Also judged by `quote.late-acceptance`, which goes by the deadline and not by the state that was seen.
    'order.accept.expired-order-refused',
    'order.accept.settled-order-refused',
    'order.accept.cancelled-order-refused',
    'order.accept.second-quote-refused',
  ],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      for (const call of trace.acceptances) {
        if (call.status === undefined) continue;
        for (const { requirement, when, since } of hindrancesOf(trace, call)) {
          findings.assert(requirement, !call.ok, call.id, () => ({
            message: `a quote was accepted on an order ${when}`,
            ...letThrough(call),
            evidence: [since, call.id],
          }));
        }
      }
    }
  },
});

const lateAcceptances = defineRule({
  id: 'quote.late-acceptance',
  title:
    'A quote cannot be accepted after its `valid_until`, nor an order quoted after its `expires_at`',
  requirements: [
    'order.accept.expired-quote-refused',
    // Also judged by `order.acceptances`, which sees an order that was read EXPIRED before its deadline could be known.
    'order.accept.expired-order-refused',
    'quote.submit.expired-request-refused',
  ],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      const expiry = timestampIn(trace.snapshots, 'expires_at');
      for (const call of trace.acceptances) {
        // The accepted quote may be accepted again (gap `accept.again`).
        const again = trace.acceptances.some(
          (other) => other.ok && other.open < call.close && other !== call,
        );
        if (again) continue;
        const validity = validityOf(trace, call);
        if (validity !== undefined && view.clock.after(call, validity)) {
          const message = 'a quote was accepted after its valid_until';
          assertRefused('order.accept.expired-quote-refused', call, message, validity);
        }
        if (expiry === undefined || !view.clock.wellAfter(call, expiry)) continue;
        const message = "a quote was accepted after the order's expires_at";
        assertRefused('order.accept.expired-order-refused', call, message, expiry);
      }
      // Only for a request that expired: the answer to a quote on an accepted order is open (gap `quote.late`).
      if (expiry === undefined || trace.snapshots.some(endedOtherwise)) continue;
      for (const call of trace.submissions) {
        if (!view.clock.wellAfter(call, expiry)) continue;
        if (mayHaveChanged(trace.acceptances, call)) continue;
        const message = 'a quote was taken on a request that had expired';
        assertRefused('quote.submit.expired-request-refused', call, message, expiry);
      }
    }

    function validityOf(trace: OrderTrace, { exchange }: Call): number | undefined {
      const quote = view.quote(exchange.params.quote_id);
      return quote && quote.intentId === trace.id && !mayBeReplaced(view, quote, trace)
        ? timestampIn(quote.snapshots, 'valid_until')
        : undefined;
    }

    function assertRefused(
      requirement:
        | 'order.accept.expired-quote-refused'
        | 'order.accept.expired-order-refused'
        | 'quote.submit.expired-request-refused',
      { id, ok, status, exchange }: Call,
      message: string,
      deadline: number,
    ): void {
      if (status === undefined) return;
      findings.assert(requirement, !ok, id, () => ({
        message,
        deviation: 'let through',
        must: { words: `a 4xx status after ${new Date(deadline).toISOString()}` },
        actual: `${status} at ${new Date(exchange.sent).toISOString()}`,
      }));
    }
  },
});

type Seen = OrderTrace['snapshots'][number];
const endedOtherwise = (seen: Seen): boolean =>
  !['PENDING', 'EXPIRED'].includes(orderStateOf(seen) ?? 'PENDING');

export const acceptanceRules = [
  acceptanceNeeded,
  acceptanceMakesQuoted,
  acceptances,
  lateAcceptances,
];
