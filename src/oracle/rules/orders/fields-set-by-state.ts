import {
  acceptanceFields,
  fieldRequirement,
  settlementFields,
} from '../../../spec/requirements/index.ts';
import { acceptedStates, unsettledStates } from '../../../spec/states.ts';
import type { OrderState } from '../../../spec/vocabulary.ts';
import { isSet } from '../../../protocol/json.ts';
import { defineRule } from '../../findings.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import { mayHaveChanged, type OrderTrace, orderStateOf } from '../../trace/traces.ts';

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

/** What the answer to an acceptance must show (4.2). */
const returned = [
  ['fx_rate', 'quote.accept.returns-fx-rate'],
  ['source_amount_actual', 'quote.accept.returns-source-amount-actual'],
  ['market_maker_party_id', 'quote.accept.returns-market-maker'],
] as const;

/** Whether an order is known to have had no accepted quote by the time of a snapshot. */
export const neverAccepted = (trace: OrderTrace, snapshot: Snapshot): boolean =>
  trace.creation !== undefined && !mayHaveChanged(trace.acceptances, snapshot);

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
        if (!acceptedStates.includes(state)) {
          if (state === 'PENDING' || neverAccepted(trace, snapshot)) judgeUnset(snapshot, state);
        } else if (snapshot.whole) judgeSet(snapshot, state);
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
      for (const [field, requirement] of returned) {
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
  title: 'The hash and the moment of a settlement are set with the move to SETTLED, not before',
  requirements: [
    ...onSettlement.flatMap(({ set, early }) => [set, early]),
    'order.settled.sets-hash',
  ],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      for (const snapshot of trace.snapshots) {
        const state = orderStateOf(snapshot);
        if (snapshot.resource !== 'order' || !state || unsettledStates.includes(state)) continue;
        if (state !== 'SETTLED') judgeUnset(snapshot, state);
        else if (snapshot.whole) judgeSet(snapshot);
      }
    }

    function judgeSet({ value, source, via }: Snapshot): void {
      for (const { field, set } of onSettlement) {
        findings.assert(set, isSet(value[field]), source, () => ({
          message: `${field} of a SETTLED order was not set (${via})`,
          evidence: [source],
        }));
      }
      const both = settlementFields.every((field) => isSet(value[field]));
      findings.assert('order.settled.sets-hash', both, source, () => ({
        message: `a SETTLED order did not carry both its hash and its moment (${via})`,
        expected: settlementFields,
        actual: settlementFields.filter((field) => isSet(value[field])),
        evidence: [source],
      }));
    }

    function judgeUnset({ value, source, via }: Snapshot, state: OrderState): void {
      for (const { field, early } of onSettlement) {
        findings.assert(early, !isSet(value[field]), source, () => ({
          message: `${field} was set on an order in ${state} (${via})`,
          expected: 'absent or null',
          actual: value[field],
          evidence: [source],
        }));
      }
    }
  },
});
