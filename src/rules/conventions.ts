import { type FormName, hasForm } from '../spec/forms.ts';
import { heartbeat } from '../spec/events.ts';
import { isSet, visit } from './json.ts';
import { defineRule } from './tally.ts';
import { results } from './envelope.ts';
import { eventKind } from './view/streams.ts';

const timestamps = {
  requirement: 'convention.timestamps',
  form: 'timestamp',
  says: 'an ISO 8601 UTC time with milliseconds',
} as const;
const amounts = {
  requirement: 'convention.amounts-as-strings',
  form: 'decimal',
  says: 'a decimal number in a string',
} as const;
const ids = {
  requirement: 'convention.ids-are-uuids',
  form: 'uuid',
  says: 'a UUID string',
} as const;
const parties = {
  requirement: 'convention.parties',
  form: 'party',
  says: '<Name>::<hex>',
} as const;
const currencies = {
  requirement: 'convention.currencies',
  form: 'currency',
  says: 'a currency code in a string',
} as const;

type Convention =
  | typeof timestamps
  | typeof amounts
  | typeof ids
  | typeof parties
  | typeof currencies;

const byName: ReadonlyMap<string, Convention> = new Map<string, Convention>([
  ...['intent_id', 'quote_id'].map((name) => [name, ids] as const),
  ...[
    'sender_party_id',
    'sender_custodian_party_id',
    'receiver_party_id',
    'receiver_custodian_party_id',
    'market_maker_party_id',
    'operator_party_id',
    'canton_party_id',
    'party_id',
  ].map((name) => [name, parties] as const),
  ...['source_currency', 'target_currency'].map((name) => [name, currencies] as const),
  ...[
    'fx_rate',
    'target_amount',
    'source_amount',
    'source_amount_max',
    'source_amount_actual',
    'mm_quoted_source_amount',
    'mm_delivered_target_amount',
  ].map((name) => [name, amounts] as const),
  ...[
    'created_at',
    'expires_at',
    'quote_accepted_at',
    'settled_at',
    'submitted_at',
    'valid_until',
  ].map((name) => [name, timestamps] as const),
]);

/** The convention that binds a member of this name, at whatever depth. Only names that the document uses. */
const conventionOf = (name: string): Convention | undefined => byName.get(name);

export const conventions = defineRule({
  id: 'conventions',
  title:
    'Moments, amounts, ids, parties and currencies have their forms at any depth of any message',
  requirements: [
    timestamps.requirement,
    amounts.requirement,
    ids.requirement,
    parties.requirement,
    currencies.requirement,
  ],
  judge(view, tally) {
    const known = new Map<string, boolean>();
    const fits = (form: FormName, value: unknown): boolean => {
      if (typeof value !== 'string' || form === 'uuid') return hasForm(form, value);
      const key = form + value;
      const before = known.get(key);
      if (before !== undefined) return before;
      const now = hasForm(form, value);
      known.set(key, now);
      return now;
    };
    const look = (source: string, message: unknown): void =>
      visit(message, (name, value) => {
        const convention = conventionOf(name);
        if (!convention || !isSet(value) || Array.isArray(value)) return;
        if (fits(convention.form, value)) tally.pass(convention.requirement, source);
        else if (!view.wasSent(value)) {
          tally.fail(convention.requirement, {
            message: `${name} did not keep the convention`,
            expected: convention.says,
            actual: value,
            evidence: [source],
          });
        }
      });
    for (const call of view.once(results)) look(call.id, call.body);
    for (const stream of view.streams) {
      for (const { frame } of stream.frames) {
        if (frame.event !== heartbeat && eventKind(frame.event)) look(frame.id, frame.data);
      }
    }
  },
});
