import {
  acceptanceFields,
  chosenFields,
  fieldRequirement,
  type RequirementId,
  settlementFields,
} from '../spec/requirements/index.ts';
import { isSet } from './json.ts';
import { sameValue } from './same.ts';
import { type Blame, defineRule } from './tally.ts';
import type { Sighting } from './view/sightings.ts';
import type { QuoteStory } from './view/stories.ts';

const constant: readonly { readonly field: string; readonly requirement: RequirementId }[] = [
  { field: 'sender_party_id', requirement: 'order.sender-party-id.unchanged' },
  { field: 'created_at', requirement: 'order.created-at.unchanged' },
  { field: 'expires_at', requirement: 'order.expires-at.unchanged' },
  ...[...chosenFields, ...acceptanceFields, ...settlementFields].map((field) => ({
    field,
    requirement: fieldRequirement('order', field, 'unchanged'),
  })),
];

interface First {
  readonly value: unknown;
  readonly source: string;
}

/** Remembers the first value of each field that was set. */
class FirstValues {
  readonly #first = new Map<string, First>();

  /** What to judge of a value by the first one; undefined for the first itself, and for what is not set. */
  compare(
    field: string,
    { value, source }: Sighting,
  ): { readonly same: boolean; readonly blame: Omit<Blame, 'message'> } | undefined {
    const found = value[field];
    if (!isSet(found)) return undefined;
    const first = this.#first.get(field);
    if (!first) {
      this.#first.set(field, { value: found, source });
      return undefined;
    }
    return {
      same: first.value === found || sameValue(field, first.value, found),
      blame: { expected: first.value, actual: found, evidence: [first.source, source] },
    };
  }
}

export const orderConstancy = defineRule({
  id: 'order.constancy',
  title: 'What an order once showed never changes, whoever looks',
  requirements: constant.map(({ requirement }) => requirement),
  judge(view, tally) {
    for (const story of view.orders.values()) {
      const first = new FirstValues();
      for (const sighting of story.sightings) {
        const { source, via, resource } = sighting;
        for (const { field, requirement } of constant) {
          const seen = first.compare(field, sighting);
          if (!seen) continue;
          tally.judge(requirement, seen.same, source, () => ({
            message: `${field} of an order changed (${resource} in ${via})`,
            ...seen.blame,
          }));
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
      sighting: Sighting,
    ): void {
      for (const field of fields) {
        const seen = first.compare(field, sighting);
        if (!seen) continue;
        tally.judge(requirement, seen.same, sighting.source, () => ({
          message: `${field} of a quote was not what it had been (${sighting.via})`,
          ...seen.blame,
        }));
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
      for (const sighting of story.settlements) {
        for (const field of settlementTerms) {
          const seen = first.compare(field, sighting);
          if (!seen) continue;
          tally.judge('settlement.unchanged', seen.same, sighting.source, () => ({
            message: `${field} of a settlement changed (${sighting.via})`,
            ...seen.blame,
          }));
        }
      }
    }
  },
});
