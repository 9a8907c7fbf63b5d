import { type Field, fieldsOf } from '../fields.ts';
import { forms } from '../forms.ts';
import { resources, TokenClaims } from '../resources.ts';
import type { Part } from '../vocabulary.ts';
import { type Kebab, type Statement, about, breach, kebab, needs, part } from './needs.ts';
import type { Needs, Requirement } from './requirement.ts';

/** The tables of fields that requirement ids are made from: the resources, and the claims of a token (5.3). */
export const fieldTables = { ...resources, claim: TokenClaims } as const;
export type TableName = keyof typeof fieldTables;
export type FieldName<T extends TableName> = keyof (typeof fieldTables)[T]['properties'] & string;

/** Prefix of a field that is in no resource: the object that it is in, as a place names it. */
const within: Partial<Record<TableName, string>> = {
  meta: 'meta.',
  pagination: 'pagination.',
  claim: 'claims.',
};

/** One requirement for each field and facet; the ids are literal, so that a misspelled one does not compile. */
export function family<T extends TableName, F extends FieldName<T>, const Facet extends string>(
  table: T,
  names: readonly F[],
  facet: Facet,
  section: Part,
  usual: Needs,
  say: (field: Field) => string | Statement,
): Readonly<Record<`${T}.${Kebab<F>}.${Facet}`, Requirement>> {
  const fields = new Map(fieldsOf(fieldTables[table]).map((field) => [field.name, field]));
  const groups = names.map((name) => {
    const field = fields.get(name);
    if (!field) throw new Error(`${table} has no field ${name}`);
    const subject = { field: `${within[table] ?? ''}${name}` };
    return about(subject, `${table}.${kebab(name)}`)(section, usual, { [facet]: say(field) });
  });
  return Object.assign({}, ...groups) as Record<`${T}.${Kebab<F>}.${Facet}`, Requirement>;
}

const namesOf = <T extends TableName>(table: T): FieldName<T>[] =>
  fieldsOf(fieldTables[table]).map((field) => field.name as FieldName<T>);

/** The form of a field, in words. */
export function formOf(field: Field): string {
  if (field.values) return `one of ${field.values.join(', ')}`;
  return field.form === 'enum' || field.form === 'integer'
    ? 'an integer, and not negative'
    : forms[field.form].describes;
}

/** Every field of a table: it is there, and it has its form. */
const plainFamily = <T extends TableName>(table: T, what: string, part: Part, needed: Needs) => ({
  ...family(table, namesOf(table), 'present', part, needed, ({ name }) =>
    breach('missing')(`${what} carries \`${name}\`.`),
  ),
  ...family(table, namesOf(table), 'form', part, needed, (field) =>
    breach('wrong form')(`\`${field.name}\` of ${what.toLowerCase()} is ${formOf(field)}.`),
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

const form = (field: Field): Statement =>
  breach('wrong form')(`\`${field.name}\` of an order, wherever it shows, is ${formOf(field)}.`);
const present = ({ name }: Field): Statement =>
  breach('missing')(`An order carries \`${name}\` from its creation on.`);
const keptOnceSet = ({ name }: Field): Statement =>
  breach('changed')(`\`${name}\` of an order, once set, never changes or disappears.`);

const orderFamilies = {
  ...family('order', assignedFields, 'present', '2.2', needs.sender, present),
  ...family('order', assignedFields, 'form', '2.2', needs.sender, form),
  ...family('order', sentFields, 'present', '2.2', needs.sender, present),
  ...family('order', chosenFields, 'form', '2.2', needs.sender, form),
  ...family(
    'order',
    chosenFields,
    'echo',
    '2.2',
    needs.sender,
    ({ name }) => `\`${name}\` of an order is what its sender sent when creating it.`,
  ),
  ...family('order', chosenFields, 'unchanged', '2.2', needs.settlement, ({ name }) =>
    breach('changed')(`\`${name}\` of an order stays as it was through every later state.`),
  ),
  ...family('order', acceptanceFields, 'set-on-acceptance', '2.2', needs.maker, ({ name }) =>
    breach('missing')(`\`${name}\` of an order is set once a quote is accepted.`),
  ),
  ...family('order', acceptanceFields, 'not-before-acceptance', '2.2', needs.maker, ({ name }) =>
    breach('too early')(`\`${name}\` of an order is not set before a quote is accepted.`),
  ),
  ...family('order', acceptanceFields, 'form', '2.2', needs.maker, form),
  ...family('order', acceptanceFields, 'unchanged', '2.2', needs.settlement, keptOnceSet),
  ...family('order', settlementFields, 'set-on-settlement', '2.2', needs.settlement, ({ name }) =>
    breach('missing')(`\`${name}\` of an order is set when it has settled.`),
  ),
  ...family(
    'order',
    settlementFields,
    'not-before-settlement',
    '2.2',
    needs.settlement,
    ({ name }) => breach('too early')(`\`${name}\` of an order is not set before it has settled.`),
  ),
  ...family('order', settlementFields, 'form', '2.2', needs.settlement, form),
  ...family('order', settlementFields, 'unchanged', '2.2', needs.settlement, keptOnceSet),
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
  ...part('5.3', needs.sender, {
    'claim.exp.form': breach(
      'wrong form',
      'claims.exp',
    )('`exp` of a token is a number, and not negative.'),
    'claim.aud.form': breach(
      'wrong form',
      'claims.aud',
    )('`aud` of a token is a string, or a list of strings.'),
  }),
} as const;
