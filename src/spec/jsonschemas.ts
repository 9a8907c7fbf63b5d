import { fieldsOf, type Field } from './fields.ts';
import { forms } from './forms.ts';
import { OrderRequest, QuoteRequest, resources, TokenClaims } from './resources.ts';

export type Json =
  | string
  | number
  | boolean
  | null
  | readonly Json[]
  | { readonly [key: string]: Json };
export type JsonSchema = { readonly [key: string]: Json };

const dialect = 'https://json-schema.org/draft/2020-12/schema';

const moments: Readonly<Record<Field['moment'], string>> = {
  creation: '',
  sent: ' As its sender sent it.',
  acceptance: ' Set once a quote is accepted; until then absent or null.',
  settlement: ' Set on settlement; until then absent or null.',
};

const formats: Readonly<Record<string, string>> = { uuid: 'uuid', timestamp: 'date-time' };

function describe({ form, values }: Field): string {
  if (values) return 'One of a closed list.';
  if (form === 'enum' || form === 'integer') return 'An integer.';
  const words: string = forms[form].describes;
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}.`;
}

/** Schema of one field. The form of a field that is not set yet is open, so null is accepted as well as absence. */
export function fieldSchema(field: Field): JsonSchema {
  const description = `${describe(field)}${moments[field.moment]}`;
  if (field.values) return { type: 'string', enum: field.values, description };
  if (field.form === 'integer') return { type: 'integer', minimum: 0, description };
  const late = field.moment === 'acceptance' || field.moment === 'settlement';
  const pattern =
    field.form === 'enum' || field.form === 'text' ? {} : { pattern: forms[field.form].pattern };
  const format = formats[field.form];
  return {
    type: late ? ['string', 'null'] : 'string',
    ...pattern,
    ...(format !== undefined && { format }),
    description,
  };
}

/** An object with the fields of a table; others may stand beside them. */
function objectSchema(fields: readonly Field[], description: string): JsonSchema {
  const required = fields.filter((field) => field.required).map((field) => field.name);
  return {
    type: 'object',
    description,
    properties: Object.fromEntries(fields.map((field) => [field.name, fieldSchema(field)])),
    ...(required.length > 0 && { required }),
  };
}

const described = {
  meta: [resources.meta, 'What goes with every result (2.1).'],
  pagination: [resources.pagination, 'Where a list result stands in its list (2.1).'],
  order: [resources.order, 'An order (2.2).'],
  'order-request': [
    OrderRequest,
    'What creates an order (4.2); which fields are required is open.',
  ],
  quote: [resources.quote, 'A quote as the order side lists it (2.3).'],
  'own-quote': [resources['own-quote'], 'A quote as its market maker sees it (2.3).'],
  'quote-request': [QuoteRequest, 'What submits a quote (2.3).'],
  rfq: [resources.rfq, 'An anonymized request for quote (2.4).'],
  settlement: [resources.settlement, 'A settlement as its market maker sees it (2.5).'],
  'custodian-acceptance': [
    resources['custodian-acceptance'],
    'What the sender custodian gets for accepting a quote (4.3).',
  ],
  token: [resources.token, 'A token result (2.6).'],
  identity: [resources.identity, 'An identity result (2.7).'],
  'token-claims': [TokenClaims, 'The claims of a token (5.3).'],
} as const;
export type SchemaName = keyof typeof described;
export const schemaNames = Object.keys(described) as SchemaName[];

/** The schema of one resource, body or set of claims, without an id. */
export function schemaOf(name: SchemaName): JsonSchema {
  const [table, description] = described[name];
  const fields = fieldsOf(table);
  if (name === 'order-request') {
    return objectSchema(
      fields.map((field) => ({ ...field, required: false })),
      description,
    );
  }
  const schema = objectSchema(fields, description);
  if (name !== 'token-claims') return schema;
  const aud = { anyOf: [{ type: 'string' }, { type: 'array', items: { type: 'string' } }] };
  return { ...schema, properties: { ...(schema['properties'] as JsonSchema), aud } };
}

/** Every schema as a document of its own, by name: draft 2020-12, ids relative. */
export const jsonSchemas = (): { readonly [name: string]: JsonSchema } =>
  Object.fromEntries(
    schemaNames.map((name): [string, JsonSchema] => [
      name,
      { $schema: dialect, $id: `${name}.schema.json`, title: name, ...schemaOf(name) },
    ]),
  );
