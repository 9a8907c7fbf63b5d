import {
  acceptanceFields,
  fieldRequirement,
  settlementFields,
} from '../../../spec/requirements/index.ts';
import { acceptedStates } from '../../../spec/states.ts';
import type { OrderState } from '../../../spec/vocabulary.ts';
import { isSet } from '../../../protocol/json.ts';
import { defineRule } from '../../findings.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import { possiblyEffective, type OrderTrace, orderStateOf } from '../../trace/traces.ts';

const onAcceptance = acceptanceFields.map((field) => ({
  field,
  set: fieldRequirement('order', field, 'set-on-acceptance'),
  early: fieldRequirement('order', field, 'not-before-acceptance'),
}));
const onSettlement = settlementFields.map((field) => ({
  field,
  set: fieldRequirement('order', field, 'set-on-settlement'),
  early: fieldRequirement('order', field, 'not-before-settlement'),
}));

/** Whether an order can be known never to have had an accepted quote by the time of a sighting. */
const neverAccepted = (trace: OrderTrace, snapshot: Snapshot): boolean =>
  trace.creation !== undefined &&
  possiblyEffective(trace.acceptances).every((call) => call.open >= snapshot.close);

/** Nor is an order executed that could still be cancelled. */
const neverExecuted = (trace: OrderTrace, snapshot: Snapshot): boolean =>
  neverAccepted(trace, snapshot) ||
  trace.cancels.some(({ ok, close }) => ok && close < snapshot.open);

export const acceptanceFieldsSet = defineRule({
  id: 'order.acceptance-fields',
  title: 'The fields of an accepted quote are set with the move to QUOTED, not before',
  requirements: [
    ...onAcceptance.flatMap(({ set, early }) => [set, early]),
    'order.accepted.sets-quote-fields',
    'quote.accept.returns-fx-rate',
    'quote.accept.returns-source-amount-actual',
    'quote.accept.returns-market-maker',
  ],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      for (const snapshot of trace.snapshots) {
        if (snapshot.resource !== 'order') continue;
        const state = orderStateOf(snapshot);
        if (!state) continue;
        if (acceptedStates.includes(state)) {
          if (snapshot.whole) judgeSet(snapshot, state);
        } else if (state === 'PENDING' || neverAccepted(trace, snapshot))
          judgeUnset(snapshot, state);
      }
    }

    function judgeSet(snapshot: Snapshot, state: OrderState): void {
      const { value, source, via } = snapshot;
      const missing: string[] = [];
      for (const { field, set } of onAcceptance) {
        const there = findings.assert(set, isSet(value[field]), source, () => ({
          message: `${field} of an order in ${state} was not set (${via})`,
          evidence: [source],
        }));
        if (!there) missing.push(field);
      }
      findings.assert('order.accepted.sets-quote-fields', missing.length === 0, source, () => ({
        message: `an order in ${state} lacked ${missing.join(', ')} (${via})`,
        evidence: [source],
      }));
      if (via !== 'quote.accept') return;
      for (const [field, requirement] of [
        ['fx_rate', 'quote.accept.returns-fx-rate'],
        ['source_amount_actual', 'quote.accept.returns-source-amount-actual'],
        ['market_maker_party_id', 'quote.accept.returns-market-maker'],
      ] as const) {
        findings.assert(requirement, isSet(value[field]), source, () => ({
          message: `the order that an acceptance returned had no ${field}`,
          evidence: [source],
        }));
      }
    }

    function judgeUnset(snapshot: Snapshot, state: OrderState): void {
      const { value, source, via } = snapshot;
      for (const { field, early } of onAcceptance) {
        findings.assert(early, !isSet(value[field]), source, () => ({
          message: `${field} was set on an order in ${state} without an accepted quote (${via})`,
          expected: 'absent or null',
          actual: value[field],
          evidence: [source],
        }));
      }
    }
  },
});

export const settlementFieldsSet = defineRule({
  id: 'order.settlement-fields',
  title:
    'The fields of a settlement are set with the move to SETTLED, not before and not otherwise',
  requirements: [
    ...onSettlement.flatMap(({ set, early }) => [set, early]),
    'order.settled.sets-hash',
    'settlement.atomic',
  ],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      for (const snapshot of trace.snapshots) {
        if (snapshot.resource !== 'order') continue;
        const state = orderStateOf(snapshot);
        const { value, source, via } = snapshot;
        const set = settlementFields.filter((field) => isSet(value[field]));
        if (state === 'SETTLED') {
          if (!snapshot.whole) continue;
          for (const each of onSettlement) {
            findings.assert(each.set, isSet(value[each.field]), source, () => ({
              message: `${each.field} of a SETTLED order was not set (${via})`,
              evidence: [source],
            }));
          }
          findings.assert('order.settled.sets-hash', set.length === 2, source, () => ({
            message: `a SETTLED order did not carry both its hash and its moment (${via})`,
            expected: settlementFields,
            actual: set,
            evidence: [source],
          }));
        } else if (state === 'EXPIRED' || state === 'FAILED') {
          // A reverted transaction has a hash too, so on an order that may have executed a hash alone proves nothing.
          const wrong = neverExecuted(trace, snapshot)
            ? set
            : set.filter((field) => field === 'settled_at');
          const violation = () => ({
            message: `an order that ended ${state} carried ${set.join(' and ')} (${via})`,
            expected: 'neither a transaction hash nor a settlement moment',
            actual: set,
            evidence: [source],
          });
          if (wrong.length === 0 && set.length > 0) findings.warn('settlement.atomic', violation());
          else findings.assert('settlement.atomic', set.length === 0, source, violation);
        } else if (state) {
          for (const { field, early } of onSettlement) {
            findings.assert(early, !isSet(value[field]), source, () => ({
              message: `${field} was set on an order in ${state} (${via})`,
              expected: 'absent or null',
              actual: value[field],
              evidence: [source],
            }));
          }
        }
      }
      judgeNoSettlement(trace);
    }

    /** The other half of all or nothing: what did not settle is no settlement either. */
    function judgeNoSettlement(trace: OrderTrace): void {
      const [shown] = trace.settlements;
      const ended = trace.snapshots.find((seen) => {
        const state = orderStateOf(seen);
        return state === 'EXPIRED' || state === 'FAILED';
      });
      if (!shown || !ended) return;
      findings.fail('settlement.atomic', {
        message: `a settlement was shown of an order that ended ${orderStateOf(ended)}`,
        evidence: [ended.source, shown.source],
      });
    }
  },
});
