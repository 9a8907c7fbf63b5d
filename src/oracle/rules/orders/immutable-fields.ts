import { equalValues } from '../../../protocol/equality.ts';
import { isSet } from '../../../protocol/json.ts';
import {
  acceptanceFields,
  chosenFields,
  fieldRequirement,
  type RequirementId,
  settlementFields,
} from '../../../spec/requirements/index.ts';
import { unsettledStates } from '../../../spec/states.ts';
import { defineRule, type Findings } from '../../findings.ts';
import { settlementFailed, mayBeReplaced } from '../../trace/selections.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import { mayHaveChanged, orderStateOf, type OrderTrace } from '../../trace/traces.ts';

interface First {
  readonly value: unknown;
  readonly source: string;
  /** When it was seen for certain. */
  readonly close: number;
}

/** Remembers the first value of each field that was set. */
export class FirstValues {
  readonly #first = new Map<string, First>();

  /** The first value of a field that is set again; undefined for the first value itself, and for an unset field. */
  before(field: string, { value, source, close }: Snapshot): First | undefined {
    const found = value[field];
    if (!isSet(found)) return undefined;
    const first = this.#first.get(field);
    if (!first) this.#first.set(field, { value: found, source, close });
    return first;
  }

  get(field: string): First | undefined {
    return this.#first.get(field);
  }
}

/**
 * Judges each field of a snapshot by the value that it had first.
 * @param isOpen true if an open question may still excuse a changed field
 */
export function assertUnchanged<Id extends RequirementId>(
  findings: Findings<Id>,
  fields: readonly { readonly field: string; readonly requirement: Id }[],
  firsts: FirstValues,
  snapshot: Snapshot,
  what: string,
  isOpen: (requirement: Id) => boolean = () => true,
): void {
  const { value, source, via } = snapshot;
  for (const { field, requirement } of fields) {
    const first = firsts.before(field, snapshot);
    if (!first) continue;
    const now = value[field];
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

/** One requirement for each of some fields. */
export const all = <Id extends RequirementId>(requirement: Id, fields: readonly string[]) =>
  fields.map((field) => ({ field, requirement }));

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

const quoteTerms = all('quote.terms-unchanged', [
  'intent_id',
  'market_maker_party_id',
  'fx_rate',
  'source_amount',
  'target_amount',
  'submitted_at',
  'valid_until',
]);

/** Fields of a quote that mean the same to its maker and to the order side; the amounts may not (gap). */
const sharedTerms = all('quote.views-agree', [
  'intent_id',
  'fx_rate',
  'submitted_at',
  'valid_until',
]);

export const quoteImmutable = defineRule({
  id: 'quote.constancy',
  title: 'A quote keeps its terms, and shows the same ones to its maker and to the order side',
  requirements: ['quote.terms-unchanged', 'quote.views-agree'],
  judge(view, findings) {
    for (const quote of view.quotes.values()) {
      const order = view.order(quote.intentId);
      if (order && mayBeReplaced(view, quote, order)) continue;
      const perView = new Map<string, FirstValues>();
      const shared = new FirstValues();
      for (const snapshot of quote.snapshots) {
        const key =
          snapshot.frame || snapshot.via === 'quote.submit' ? snapshot.via : snapshot.resource;
        const first = perView.get(key) ?? new FirstValues();
        perView.set(key, first);
        assertUnchanged(findings, quoteTerms, first, snapshot, 'a quote');
        assertUnchanged(findings, sharedTerms, shared, snapshot, 'a quote');
      }
    }
  },
});

const settlementTerms = all('settlement.unchanged', [
  'source_currency',
  'target_currency',
  'target_amount',
  'source_amount_actual',
  'fx_rate',
  'quote_id',
  'mm_quoted_source_amount',
  'mm_delivered_target_amount',
  'transaction_hash',
  'settled_at',
]);

export const settlementImmutable = defineRule({
  id: 'settlement.constancy',
  title: 'A settlement never changes once it is shown',
  requirements: ['settlement.unchanged'],
  judge(view, findings) {
    for (const trace of view.orders.values()) {
      const firsts = new FirstValues();
      for (const snapshot of trace.settlements) {
        assertUnchanged(findings, settlementTerms, firsts, snapshot, 'a settlement');
      }
    }
  },
});
