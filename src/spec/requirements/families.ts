import { type Field, fieldsOf } from '../fields.ts';
import { forms } from '../forms.ts';
import { resources, TokenClaims } from '../resources.ts';
import type { Part } from '../vocabulary.ts';
import { must, needs } from './needs.ts';
import type { Needs, Requirement } from './requirement.ts';

/** The tables of fields that requirement ids are made from: the resources, and the claims of a token (5.3). */
export const fieldTables = { ...resources, claim: TokenClaims } as const;
export type TableName = keyof typeof fieldTables;
export type FieldName<T extends TableName> = keyof (typeof fieldTables)[T]['properties'] & string;

export type Kebab<S extends string> = S extends `${infer Head}_${infer Tail}`
  ? `${Head}-${Kebab<Tail>}`
  : S;

export const kebab = <S extends string>(name: S): Kebab<S> =>
  name.toLowerCase().replaceAll('_', '-') as Kebab<S>;

/** One requirement for each field and facet; the ids are literal, so that a misspelled one does not compile. */
function family<T extends TableName, F extends FieldName<T>, const Facet extends string>(
  table: T,
  names: readonly F[],
  facet: Facet,
  say: (field: Field) => Requirement,
): Record<`${T}.${Kebab<F>}.${Facet}`, Requirement> {
  const fields = new Map(fieldsOf(fieldTables[table]).map((field) => [field.name, field]));
  const entries = names.map((name) => {
    const field = fields.get(name);
    if (!field) throw new Error(`${table} has no field ${name}`);
    return [`${table}.${kebab(name)}.${facet}`, say(field)];
  });
  return Object.fromEntries(entries) as Record<`${T}.${Kebab<F>}.${Facet}`, Requirement>;
}

const namesOf = <T extends TableName>(table: T): FieldName<T>[] =>
  fieldsOf(fieldTables[table]).map((field) => field.name as FieldName<T>);

function formOf(field: Field): string {
  if (field.values) return `one of ${field.values.join(', ')}`;
  return field.form === 'enum' || field.form === 'integer'
    ? 'an integer, and not negative'
    : forms[field.form].describes;
}

/** Every field of a table: it is there, and it has its form. */
const plainFamily = <T extends TableName>(table: T, what: string, part: Part, needed: Needs) => ({
  ...family(table, namesOf(table), 'present', ({ name }) =>
    must(part, `${what} carries \`${name}\`.`, needed),
  ),
  ...family(table, namesOf(table), 'form', (field) =>
    must(part, `\`${field.name}\` of ${what.toLowerCase()} is ${formOf(field)}.`, needed),
  ),
});

/** Fields of an order that are there from its creation on. */
export const assignedFields = [
  'intent_id',
  'status',
  'sender_party_id',
  'created_at',
  'expires_at',
] as const;
/** Fields of an order that its sender chose and may not leave out. */
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
] as const;
export const chosenFields = [...sentFields, 'memo'] as const;
export const acceptanceFields = [
  'quote_id',
  'market_maker_party_id',
  'fx_rate',
  'source_amount_actual',
  'quote_accepted_at',
] as const;
export const settlementFields = ['transaction_hash', 'settled_at'] as const;

const form = (field: Field): Requirement =>
  must(
    '2.2',
    `\`${field.name}\` of an order, wherever it shows, is ${formOf(field)}.`,
    needs.sender,
  );
const present = ({ name }: Field): Requirement =>
  must('2.2', `An order carries \`${name}\` from its creation on.`, needs.sender);

const orderFamilies = {
  ...family('order', assignedFields, 'present', present),
  ...family('order', assignedFields, 'form', form),
  ...family('order', sentFields, 'present', present),
  ...family('order', chosenFields, 'form', form),
  ...family('order', chosenFields, 'echo', ({ name }) =>
    must('2.2', `\`${name}\` of an order is what its sender sent when creating it.`, needs.sender),
  ),
  ...family('order', chosenFields, 'unchanged', ({ name }) =>
    must(
      '2.2',
      `\`${name}\` of an order stays as it was through every later state.`,
      needs.settlement,
    ),
  ),
  ...family('order', acceptanceFields, 'set-on-acceptance', ({ name }) =>
    must('2.2', `\`${name}\` of an order is set once a quote is accepted.`, needs.maker),
  ),
  ...family('order', acceptanceFields, 'not-before-acceptance', ({ name }) =>
    must('2.2', `\`${name}\` of an order is not set before a quote is accepted.`, needs.maker),
  ),
  ...family('order', acceptanceFields, 'form', (field) => ({ ...form(field), needs: needs.maker })),
  ...family('order', acceptanceFields, 'unchanged', ({ name }) =>
    must(
      '2.2',
      `\`${name}\` of an order, once set, never changes or disappears.`,
      needs.settlement,
    ),
  ),
  ...family('order', settlementFields, 'set-on-settlement', ({ name }) =>
    must('2.2', `\`${name}\` of an order is set when it has settled.`, needs.settlement),
  ),
  ...family('order', settlementFields, 'not-before-settlement', ({ name }) =>
    must('2.2', `\`${name}\` of an order is not set before it has settled.`, needs.settlement),
  ),
  ...family('order', settlementFields, 'form', (field) => ({
    ...form(field),
    needs: needs.settlement,
  })),
  ...family('order', settlementFields, 'unchanged', ({ name }) =>
    must(
      '2.2',
      `\`${name}\` of an order, once set, never changes or disappears.`,
      needs.settlement,
    ),
  ),
} as const;

/** Presence, form and constancy of every field of every table of part 2, and of the claims of part 5.3. */
export const fieldRequirements = {
  ...plainFamily('meta', 'The meta object of a result', '2.1', needs.sender),
  ...plainFamily('pagination', 'The pagination of a list', '2.1', needs.sender),
  ...orderFamilies,
  ...plainFamily('quote', 'A quote in the order-side list', '2.3', needs.maker),
  ...plainFamily('own-quote', 'A quote as its market maker sees it', '2.3', needs.maker),
  ...plainFamily('rfq', 'A request for quote', '2.4', needs.maker),
  ...plainFamily('settlement', 'A settlement', '2.5', needs.settlement),
  ...plainFamily('token', 'A token result', '2.6', needs.sender),
  ...plainFamily('identity', 'An identity result', '2.7', needs.sender),
  ...plainFamily(
    'custodian-acceptance',
    "The answer to a custodian's acceptance of a quote",
    '4.3',
    needs.custodianMaker,
  ),
  ...plainFamily('claim', 'A token', '5.3', needs.sender),
  'claim.exp.form': must('5.3', '`exp` of a token is a number, and not negative.', needs.sender),
  'claim.aud.form': must(
    '5.3',
    '`aud` of a token is a string, or a list of strings.',
    needs.sender,
  ),
} as const;
