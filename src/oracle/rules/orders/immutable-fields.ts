import { fieldsOf } from '../../../spec/fields.ts';
import { equalValues } from '../../../protocol/equality.ts';
import { isSet } from '../../../protocol/json.ts';
import {
  acceptanceFields,
  chosenFields,
  fieldRequirement,
  type RequirementId,
  settlementFields,
} from '../../../spec/requirements/index.ts';
import { resources } from '../../../spec/resources.ts';
import { defineRule, type Findings } from '../../findings.ts';
import { mayBeReplaced, settlementFailed } from '../../trace/selections.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import { isUnsettled, mayHaveChanged, type OrderTrace } from '../../trace/traces.ts';

interface First {
  readonly value: unknown;
  readonly source: string;
  /** When it was seen for certain. */
  readonly close: number;
}

/** The first values that were seen, by field. */
type FirstValues = Map<string, First>;

/**
 * Judges each field of a snapshot by the value that it had first.
 * @param isOpen true if an open question may still excuse a changed field
 */
function assertUnchanged<Id extends RequirementId>(
  findings: Findings<Id>,
  fields: readonly { readonly field: string; readonly requirement: Id }[],
  firsts: FirstValues,
  snapshot: Snapshot,
  what: string,
  isOpen: (requirement: Id) => boolean = () => true,
): void {
  const { value, source, via, close } = snapshot;
  for (const { field, requirement } of fields) {
    const now = value[field];
    if (!isSet(now)) continue;
    const first = firsts.get(field);
    if (!first) {
      firsts.set(field, { value: now, source, close });
      continue;
    }
    const same = first.value === now || equalValues(field, first.value, now);
    findings.assert(requirement, same, source, () => ({
      message: `${field} of ${what} was not what it had been (${via})`,
      fields: [field],
      expected: first.value,
      actual: now,
      evidence: [first.source, source],
      ...(!isOpen(requirement) && { closed: true }),
    }));
  }
}

/** One requirement for all fields of a resource but some. */
const fieldsBut = <Id extends RequirementId>(
  requirement: Id,
  resource: keyof typeof resources,
  ...but: readonly string[]
) =>
  fieldsOf(resources[resource]).flatMap(({ name }) =>
    but.includes(name) ? [] : [{ field: name, requirement }],
  );

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

const orderImmutable = defineRule({
  id: 'order.constancy',
  title: 'What an order once showed never changes, whoever looks',
  requirements: constant.map(({ requirement }) => requirement),
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      const firsts: FirstValues = new Map();
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

/** A field that was set stays set. A cancel, a deadline or a withdrawal may take it back: only a warning fits there. */
function lookForLost(
  findings: Findings<LastingId>,
  firsts: FirstValues,
  snapshot: Snapshot,
  trace: OrderTrace,
): void {
  const { whole, resource, value } = snapshot;
  if (!whole || resource !== 'order' || !isUnsettled(snapshot)) return;
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

const quoteTerms = fieldsBut('quote.terms-unchanged', 'quote', 'quote_id', 'status');

/** The amount may not mean the same to its maker as to the order side (gap `quote.target_amount`). */
const sharedTerms = fieldsBut(
  'quote.views-agree',
  'own-quote',
  'quote_id',
  'status',
  'target_amount',
);

const quoteImmutable = defineRule({
  id: 'quote.constancy',
  title: 'A quote keeps its terms, and shows the same ones to its maker and to the order side',
  requirements: ['quote.terms-unchanged', 'quote.views-agree'],
  judge(view, findings) {
    for (const quote of view.quotes.values()) {
      const order = view.order(quote.intentId);
      if (order && mayBeReplaced(view, quote, order)) continue;
      const perView = new Map<string, FirstValues>();
      const shared: FirstValues = new Map();
      for (const snapshot of quote.snapshots) {
        const key =
          snapshot.frame || snapshot.via === 'quote.submit' ? snapshot.via : snapshot.resource;
        const first = perView.get(key) ?? (new Map() satisfies FirstValues);
        perView.set(key, first);
        assertUnchanged(findings, quoteTerms, first, snapshot, 'a quote');
        assertUnchanged(findings, sharedTerms, shared, snapshot, 'a quote');
      }
    }
  },
});

const settlementTerms = fieldsBut('settlement.unchanged', 'settlement', 'intent_id');

const settlementImmutable = defineRule({
  id: 'settlement.constancy',
  title: 'A settlement never changes once it is shown',
  requirements: ['settlement.unchanged'],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      const firsts: FirstValues = new Map();
      for (const snapshot of trace.settlements) {
        assertUnchanged(findings, settlementTerms, firsts, snapshot, 'a settlement');
      }
    }
  },
});

export const constancyRules = [orderImmutable, quoteImmutable, settlementImmutable];
