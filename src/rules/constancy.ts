import { fieldRequirement, type RequirementId } from '../spec/requirements/index.ts';
import { isSet } from './json.ts';
import { acceptanceFields, settlementFields } from './moments.ts';
import { sameValue } from './same.ts';
import { defineRule } from './tally.ts';
import type { Sighting } from './view/sightings.ts';
import type { QuoteStory } from './view/stories.ts';

export const sentFields = [
  'sender_custodian_party_id',
  'receiver_party_id',
  'receiver_custodian_party_id',
  'source_contract_id',
  'intent_signature',
  'source_currency',
  'target_currency',
  'target_amount',
  'source_amount_max',
  'memo',
] as const;

const constant: readonly { readonly field: string; readonly requirement: RequirementId }[] = [
  { field: 'sender_party_id', requirement: 'order.sender-party-id.unchanged' },
  { field: 'created_at', requirement: 'order.created-at.unchanged' },
  { field: 'expires_at', requirement: 'order.expires-at.unchanged' },
  ...[...sentFields, ...acceptanceFields, ...settlementFields].map((field) => ({
    field,
    requirement: fieldRequirement('order', field, 'unchanged'),
  })),
];

interface First {
  readonly value: unknown;
  readonly source: string;
}

/** Remembers the first value of each field that was set. */
export class FirstValues {
  readonly #first = new Map<string, First>();

  /** The first value that was set, where this is a later one. */
  before(field: string, value: unknown, source: string): First | undefined {
    const first = this.#first.get(field);
    if (!first) this.#first.set(field, { value, source });
    return first;
  }
}

export const orderConstancy = defineRule({
  id: 'order.constancy',
  title: 'What an order once showed never changes, whoever looks',
  requirements: constant.map(({ requirement }) => requirement),
  judge(view, tally) {
    for (const story of view.orders.values()) {
      const first = new FirstValues();
      for (const { value, source, via, resource } of story.sightings) {
        for (const { field, requirement } of constant) {
          const found = value[field];
          if (!isSet(found)) continue;
          const before = first.before(field, found, source);
          if (!before) continue;
          const same = before.value === found || sameValue(field, before.value, found);
          if (same) tally.pass(requirement, source);
          else
            tally.fail(requirement, {
              message: `${field} of an order changed (${resource} in ${via})`,
              expected: before.value,
              actual: found,
              evidence: [before.source, source],
            });
        }
      }
    }
  },
});

const quoteTerms = [
  'intent_id',
  'market_maker_party_id',
  'fx_rate',
  'source_amount',
  'target_amount',
  'submitted_at',
  'valid_until',
] as const;

/** Fields of a quote that mean the same to its maker and to the order side; the amounts may not (gap). */
const sharedTerms = ['intent_id', 'fx_rate', 'submitted_at', 'valid_until'] as const;

/** Whether its maker tried more than once on the order: a second quote may replace the first (gap `quote.twice`). */
export const mayBeReplaced = (
  quote: QuoteStory,
  submissions: readonly { readonly party: string; readonly ok: boolean }[],
): boolean =>
  quote.maker === undefined ||
  submissions.filter((call) => call.ok && call.party === quote.maker).length > 1;

export const quoteConstancy = defineRule({
  id: 'quote.constancy',
  title: 'A quote keeps its terms, and shows the same ones to its maker and to the order side',
  requirements: ['quote.terms-unchanged', 'quote.views-agree'],
  judge(view, tally) {
    for (const quote of view.quotes.values()) {
      const order = quote.intentId === undefined ? undefined : view.orders.get(quote.intentId);
      if (order && mayBeReplaced(quote, order.submissions)) continue;
      const perView = new Map<string, FirstValues>();
      const shared = new FirstValues();
      for (const sighting of quote.sightings) {
        const key =
          sighting.frame || sighting.via === 'quote.submit' ? sighting.via : sighting.resource;
        const first = perView.get(key) ?? new FirstValues();
        perView.set(key, first);
        compare('quote.terms-unchanged', quoteTerms, first, sighting);
        compare('quote.views-agree', sharedTerms, shared, sighting);
      }
    }

    function compare(
      requirement: 'quote.terms-unchanged' | 'quote.views-agree',
      fields: readonly string[],
      first: FirstValues,
      { value, source, via }: Sighting,
    ): void {
      for (const field of fields) {
        const found = value[field];
        if (!isSet(found)) continue;
        const before = first.before(field, found, source);
        if (!before) continue;
        const same = before.value === found || sameValue(field, before.value, found);
        if (same) tally.pass(requirement, source);
        else
          tally.fail(requirement, {
            message: `${field} of a quote was not what it had been (${via})`,
            expected: before.value,
            actual: found,
            evidence: [before.source, source],
          });
      }
    }
  },
});

const settlementTerms = [
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
] as const;

export const settlementConstancy = defineRule({
  id: 'settlement.constancy',
  title: 'A settlement never changes once it is shown',
  requirements: ['settlement.unchanged'],
  judge(view, tally) {
    for (const story of view.orders.values()) {
      const first = new FirstValues();
      for (const { value, source, via } of story.settlements) {
        for (const field of settlementTerms) {
          const found = value[field];
          if (!isSet(found)) continue;
          const before = first.before(field, found, source);
          if (!before) continue;
          const same = before.value === found || sameValue(field, before.value, found);
          if (same) tally.pass('settlement.unchanged', source);
          else
            tally.fail('settlement.unchanged', {
              message: `${field} of a settlement changed (${via})`,
              expected: before.value,
              actual: found,
              evidence: [before.source, source],
            });
        }
      }
    }
  },
});
