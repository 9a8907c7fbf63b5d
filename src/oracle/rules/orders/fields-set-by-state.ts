import {
  acceptanceFields,
  fieldRequirement,
  type RequirementId,
  settlementFields,
} from '../../../spec/requirements/index.ts';
import { acceptedStates, unsettledStates } from '../../../spec/states.ts';
import { isSet, shownText } from '../../../protocol/json.ts';
import { defineRule, type Findings } from '../../findings.ts';
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

/** Fields that the answer to an acceptance must show (4.2). */
const returned = [
  ['fx_rate', 'quote.accept.returns-fx-rate'],
  ['source_amount_actual', 'quote.accept.returns-source-amount-actual'],
  ['market_maker_party_id', 'quote.accept.returns-market-maker'],
] as const;

/** True if the order certainly had no accepted quote by the time of the snapshot. */
export const neverAccepted = (trace: OrderTrace, snapshot: Snapshot): boolean =>
  trace.creation !== undefined && !mayHaveChanged(trace.acceptances, snapshot);

/** Judges that a field is set; or, if it must not be, that it is absent or null (gap `order.unset_fields`). */
function expectSet<Id extends RequirementId>(
  findings: Findings<Id>,
  requirement: Id,
  field: string,
  { value, source, via }: Snapshot,
  required: 'set' | 'unset' = 'set',
): void {
  const holds = isSet(value[field]) === (required === 'set');
  const order = `an order in ${shownText(value['status'])}`;
  findings.assert(requirement, holds, source, () => ({
    message:
      required === 'set'
        ? `${field} of ${order} was not set (${via})`
        : `${field} was set on ${order} (${via})`,
    fields: ['status'],
    ...(required === 'unset' && { must: { absent: true }, actual: value[field] }),
  }));
}

/** Judges that an order shows all fields of a move that it has made. */
function expectAll<Id extends RequirementId>(
  findings: Findings<Id>,
  requirement: Id,
  fields: readonly string[],
  { value, source, via }: Snapshot,
): void {
  const missing = fields.filter((field) => !isSet(value[field]));
  findings.assert(requirement, missing.length === 0, source, () => ({
    message: `an order in ${shownText(value['status'])} lacked ${missing.join(' and ')} (${via})`,
    fields: [...missing, 'status'],
    expected: fields,
  }));
}

const acceptanceFieldsSet = defineRule({
  id: 'order.acceptance-fields',
  title: 'The fields of an accepted quote are set with the move to QUOTED, not before',
  requirements: [
    ...onAcceptance.flatMap(({ set, early }) => [set, early]),
    ...returned.map(([, requirement]) => requirement),
    'order.accepted.sets-quote-fields',
  ],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      for (const snapshot of trace.snapshots) {
        const state = orderStateOf(snapshot);
        if (snapshot.resource !== 'order' || !state) continue;
        if (acceptedStates.includes(state)) {
          if (snapshot.whole) judgeSet(snapshot);
        } else if (state === 'PENDING' || neverAccepted(trace, snapshot)) {
          for (const { field, early } of onAcceptance)
            expectSet(findings, early, field, snapshot, 'unset');
        }
      }
    }

    function judgeSet(snapshot: Snapshot): void {
      for (const { field, set } of onAcceptance) expectSet(findings, set, field, snapshot);
      expectAll(findings, 'order.accepted.sets-quote-fields', acceptanceFields, snapshot);
      if (snapshot.via !== 'quote.accept') return;
      for (const [field, requirement] of returned)
        expectSet(findings, requirement, field, snapshot);
    }
  },
});

const settlementFieldsSet = defineRule({
  id: 'order.settlement-fields',
  title: 'The hash and the time of a settlement are set with the move to SETTLED, not before',
  requirements: [
    ...onSettlement.flatMap(({ set, early }) => [set, early]),
    'order.settled.sets-hash',
  ],
  judge(view, findings) {
    for (const snapshot of view.snapshotsOf('order')) {
      const state = orderStateOf(snapshot);
      if (!state || unsettledStates.includes(state)) continue;
      if (state !== 'SETTLED') {
        for (const { field, early } of onSettlement)
          expectSet(findings, early, field, snapshot, 'unset');
      } else if (snapshot.whole) {
        for (const { field, set } of onSettlement) expectSet(findings, set, field, snapshot);
        expectAll(findings, 'order.settled.sets-hash', settlementFields, snapshot);
      }
    }
  },
});

export const fieldsSetRules = [acceptanceFieldsSet, settlementFieldsSet];
