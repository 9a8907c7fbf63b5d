import { isSet } from '../../../protocol/json.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { isAnswered } from '../../../results/findings.ts';
import { parseTimestamp } from '../../../spec/forms.ts';
import { settlementFields } from '../../../spec/requirements/index.ts';
import { isTerminal, terminalOrderStates } from '../../../spec/states.ts';
import { defineRule } from '../../findings.ts';
import { type Call, precedes } from '../../trace/calls.ts';
import { framesOn } from '../../trace/event-delivery.ts';
import { certainSelection, mustSettleAfter } from '../../trace/selections.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import {
  isIn,
  isUnsettled,
  orderStateOf,
  type OrderTrace,
  showsTerminal,
} from '../../trace/traces.ts';
import { neverAccepted } from '../orders/fields-set-by-state.ts';

/** Seconds that a settlement takes. */
const duration = {
  at_least: tolerance.settlementMinMs / 1_000,
  at_most: tolerance.settlementMaxMs / 1_000,
};

/** Far beyond "about 4 seconds", and more often than not beyond the window of a settlement. */
const longMs = 120_000;

interface Accepted {
  readonly trace: OrderTrace;
  readonly since: number;
}

const acceptedOrderSettles = defineRule({
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
        trace.snapshots.some((seen) => showsTerminal(seen) && seen.to <= since + longMs),
      );
      const lasting = accepted.flatMap(({ trace, since }) => {
        const seen = trace.snapshots.findLast((one) => orderStateOf(one) !== undefined);
        return seen && !showsTerminal(seen) && seen.from > since + longMs ? [{ seen, since }] : [];
      });
      if (ended.length === 0) return;
      const say = isAnswered(ended.length, lasting.length) ? findings.fail : findings.warn;
      for (const { seen, since } of lasting) {
        say('service.order-to-settlement', {
          departure: 'settling-for-long',
          message: 'an order with an accepted quote had not ended when others of this target had',
          must: { one_of: terminalOrderStates },
          actual: `${orderStateOf(seen)} after ${Math.round((seen.from - since) / 1_000)} s`,
          evidence: [seen.source],
        });
      }
    }

    /** A state may be too short to be read; an event announces it anyway, if its stream was open throughout. */
    function judgeExecuting(trace: OrderTrace, call: Call): void {
      const requirement = 'order.state.quoted-to-executing';
      const executing = trace.snapshots.find(isIn('EXECUTING'));
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
        const requirements = [
          'order.state.executing-to-settled',
          'service.order-to-settlement',
          call.exchange.role === 'custodian' && 'quote.accept.custodian-order-settles',
        ] as const;
        findings.assert(requirements, state === 'SETTLED', seen.source, () => ({
          message: `an order was ${state} after its quote was accepted, and nothing stood in its way`,
          expected: 'SETTLED',
          actual: state,
          evidence: [call.id, seen.source],
        }));
      }
    }
  },
});

/** Between an answer and an event there is the way of both; as a backend writes it down, there is none. */
const travelMs = 2_000;

const settlementDuration = defineRule({
  id: 'settlement.duration',
  title: 'Settlement takes about four seconds from acceptance',
  requirements: ['limit.settlement-duration'],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      if (view.disturbed(trace.id)) continue;
      judgeStamps(trace);
      judgeEvent(trace);
    }

    /** Judges by the timestamps of the order. */
    function judgeStamps({ snapshots }: OrderTrace): void {
      for (const { value, source } of snapshots) {
        const accepted = parseTimestamp(value['quote_accepted_at']);
        const settled = parseTimestamp(value['settled_at']);
        if (accepted === undefined || settled === undefined) continue;
        const tookMs = settled - accepted;
        const holds = tookMs >= tolerance.settlementMinMs && tookMs <= tolerance.settlementMaxMs;
        findings.assert('limit.settlement-duration', holds, source, () => ({
          message: `settlement took ${tookMs / 1000} s`,
          must: duration,
          actual: tookMs / 1000,
        }));
        return;
      }
    }

    /** Judges by the event to the sender, which a wrong clock or a wrong timestamp cannot hide. */
    function judgeEvent(trace: OrderTrace): void {
      const [call] = certainSelection(view, trace) ?? [];
      const announced = trace.snapshots.find(
        (seen) =>
          orderStateOf(seen) === 'SETTLED' && seen.frame && seen.party === trace.creation?.party,
      );
      const frame = announced?.frame?.frame;
      if (!call || !announced || !frame) return;
      const opened = trace.frames.find(({ seen }) => seen === announced.frame)?.stream.call;
      if (!opened || opened.close > call.open) return;
      const least = (frame.after ?? frame.received) - call.exchange.received;
      const most = frame.received - call.exchange.sent;
      const holds =
        least <= tolerance.settlementMaxMs + travelMs && most + 500 >= tolerance.settlementMinMs;
      findings.assert('limit.settlement-duration', holds, frame.id, () => ({
        message: `an order was announced SETTLED ${most / 1000} s after its quote was accepted`,
        fields: ['status'],
        must: duration,
        actual: most / 1000,
        evidence: [call.id, frame.id],
      }));
    }
  },
});

/** No order is executed without an accepted quote, nor once it was cancelled. */
const neverExecuted = (trace: OrderTrace, snapshot: Snapshot): boolean =>
  neverAccepted(trace, snapshot) ||
  trace.cancels.some(({ ok, close }) => ok && close < snapshot.open);

const failedSettlementRollsBack = defineRule({
  id: 'settlement.rollback',
  title: 'All or nothing: what did not settle shows no settlement, on its order and to its maker',
  requirements: ['settlement.atomic', 'settlement.list.failed-left-out'],
  judge(view, findings) {
    const lists = view.endpoint('settlement.list');
    for (const trace of view.orders.values()) {
      const ended = trace.snapshots.filter(isUnsettled);
      for (const snapshot of ended) {
        if (snapshot.resource === 'order') judgeFields(trace, snapshot);
      }
      const [first] = ended;
      if (first) judgeShown(trace, first);
    }

    function judgeShown({ settlements }: OrderTrace, ended: Snapshot): void {
      const violation = ({ source, via }: Snapshot) => ({
        message: `a settlement was shown of an order that ended ${orderStateOf(ended)} (${via})`,
        deviation: 'too much' as const,
        fields: ['status'],
        evidence: [ended.source, source],
      });
      const [shown] = settlements;
      if (shown) findings.fail('settlement.atomic', violation(shown));
      const listed = settlements.find(({ via }) => via === 'settlement.list');
      const list = lists.find((call) => call.ok && precedes(ended, call));
      if (listed) findings.fail('settlement.list.failed-left-out', violation(listed));
      else if (list) findings.pass('settlement.list.failed-left-out', list.id);
    }

    function judgeFields(trace: OrderTrace, snapshot: Snapshot): void {
      const { value, source, via } = snapshot;
      const set = settlementFields.filter((field) => isSet(value[field]));
      if (set.length === 0) {
        findings.pass('settlement.atomic', source);
        return;
      }
      // A reverted transaction has a hash too, so on an order that may have executed a hash alone proves nothing.
      const isWrong = set.includes('settled_at') || neverExecuted(trace, snapshot);
      findings[isWrong ? 'fail' : 'warn']('settlement.atomic', {
        departure: 'hash-of-a-revert',
        message: `an order that ended ${orderStateOf(snapshot)} carried ${set.join(' and ')} (${via})`,
        fields: [...set, 'status'],
        must: { absent: true },
        actual: set,
        evidence: [source],
      });
    }
  },
});

export const settlementRules = [
  settlementDuration,
  acceptedOrderSettles,
  failedSettlementRollsBack,
];
