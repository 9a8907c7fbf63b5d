import {
  acceptanceFields,
  chosenFields,
  fieldRequirement,
  settlementFields,
} from '../../../spec/requirements/index.ts';
import { unsettledStates } from '../../../spec/states.ts';
import { isSet } from '../../../protocol/json.ts';
import { defineRule, type Findings } from '../../findings.ts';
import { assertUnchanged, FirstValues } from '../../first-values.ts';
import { settlementFailed } from '../../trace/settlement-failed.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import { mayHaveChanged, type OrderTrace, orderStateOf } from '../../trace/traces.ts';

/** Set once, and then for good. */
const lasting = [...acceptanceFields, ...settlementFields].map((field) => ({
  field,
  requirement: fieldRequirement('order', field, 'unchanged'),
}));

const constant = [
  { field: 'sender_party_id', requirement: 'order.sender-party-id.unchanged' },
  { field: 'created_at', requirement: 'order.created-at.unchanged' },
  { field: 'expires_at', requirement: 'order.expires-at.unchanged' },
  ...chosenFields.map((field) => ({
    field,
    requirement: fieldRequirement('order', field, 'unchanged'),
  })),
  ...lasting,
] as const;
type LastingId = (typeof lasting)[number]['requirement'];

export const orderImmutable = defineRule({
  id: 'order.constancy',
  title: 'What an order once showed never changes, whoever looks',
  requirements: constant.map(({ requirement }) => requirement),
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      const firsts = new FirstValues();
      // The effect of an acceptance on the deadline is open (gap `order.expiry_meaning`); nothing else moves it.
      const requests = [...trace.acceptances, ...trace.proposals, ...trace.cancels];
      for (const snapshot of trace.snapshots) {
        assertUnchanged(findings, constant, firsts, snapshot, 'an order', () =>
          mayHaveChanged(requests, snapshot),
        );
        lookForLost(findings, firsts, snapshot, trace);
      }
    }
  },
});

/**
 * A field that was set stays set. It is not said which fields a cancel, a deadline or a withdrawal takes back, so only
 * a warning fits there. Other states have rules of their own.
 */
function lookForLost(
  findings: Findings<LastingId>,
  firsts: FirstValues,
  snapshot: Snapshot,
  trace: OrderTrace,
): void {
  const { whole, resource, value } = snapshot;
  const hasEnded = unsettledStates.some((state) => state === orderStateOf(snapshot));
  if (!whole || resource !== 'order' || !hasEnded) return;
  for (const { field, requirement } of lasting) {
    const first = firsts.get(field);
    if (!first || isSet(value[field]) || first.close >= snapshot.open) continue;
    findings[settlementFailed(trace) ? 'fail' : 'warn'](requirement, {
      departure: 'unset-at-the-end',
      message: `${field} of an order was set, and no longer is (${snapshot.via})`,
      expected: first.value,
      actual: value[field] ?? null,
      evidence: [first.source, snapshot.source],
    });
  }
}
