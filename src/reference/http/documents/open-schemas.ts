import type { Assignment } from '../../../spec/gaps/index.ts';
import { type JsonSchema, schemaOf } from '../../../spec/jsonschemas.ts';
import { failureReasons, orderStates } from '../../../spec/vocabulary.ts';
import { policyOf } from '../../core/index.ts';
import { problemCodes } from '../wire/problems.ts';

const text: JsonSchema = { type: 'string' };
const code: JsonSchema = {
  type: 'string',
  enum: problemCodes,
  description: 'What is wrong; see docs/error-codes.md.',
};
const at: JsonSchema = {
  type: 'string',
  description: 'JSON Pointer into the body, or the name of a parameter.',
};

const object = (properties: JsonSchema, optional: readonly string[] = []): JsonSchema => ({
  type: 'object',
  properties,
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
});

const problem = object(
  {
    type: { type: 'string', format: 'uri-reference' },
    title: text,
    status: { type: 'integer' },
    detail: text,
    code,
    at,
    request_id: text,
  },
  ['at'],
);

/** Content of a refusal, by media type; undefined if it has none. */
const refusals: Readonly<Record<Assignment['error.shape'], JsonSchema | undefined>> = {
  problem: { 'application/problem+json': { schema: problem } },
  'error-object': {
    'application/json': {
      schema: object({ error: object({ code, message: text, at }, ['at']) }),
    },
  },
  enveloped: {
    'application/json': {
      schema: object({
        errors: { type: 'array', items: object({ code, detail: text, at }, ['at']) },
        meta: object({ request_id: text }),
      }),
    },
  },
  empty: undefined,
};

const reason: JsonSchema = {
  type: 'string',
  enum: failureReasons,
  description: 'Why the order ended without settlement.',
};

const orNull = (schema: JsonSchema): JsonSchema => ({ anyOf: [schema, { type: 'null' }] });

type Properties = Readonly<Record<string, JsonSchema>>;
const propertiesOf = (schema: JsonSchema): Properties => schema['properties'] as Properties;

const sendable = Object.keys(propertiesOf(schemaOf('order-request')));

function failureReason(answers: Assignment): Properties {
  const [name = '', inner] = answers['order.failure_reason_field'].split('.');
  return {
    [name]: inner === undefined ? reason : { type: 'object', properties: { [inner]: reason } },
  };
}

/** An order as this backend shows it: unset fields are absent or null, and one field carries the failure reason. */
function orderSchema(answers: Assignment): JsonSchema {
  const schema = schemaOf('order');
  const sent = requiredOf(answers);
  // A field that may be left out on creation may be missing ever after.
  const required = (schema['required'] as readonly string[]).filter(
    (name) => !sendable.includes(name) || sent.includes(name),
  );
  const isNullable = answers['order.unset_fields'] === 'null';
  const always: [string, JsonSchema][] = [];
  const sometimes: [string, JsonSchema][] = Object.entries(failureReason(answers));
  for (const [name, field] of Object.entries(propertiesOf(schema))) {
    if (required.includes(name)) always.push([name, field]);
    else sometimes.push([name, { ...field, type: 'string' }]);
  }
  const optional = sometimes.map(([name, field]) => [name, isNullable ? orNull(field) : field]);
  return { ...schema, properties: Object.fromEntries([...always, ...optional]), required };
}

const requiredOf = (answers: Assignment): readonly string[] =>
  policyOf(answers).body.requiredOfOrder;

function orderRequest(answers: Assignment): JsonSchema {
  const schema = schemaOf('order-request');
  const required = requiredOf(answers);
  const properties = Object.entries(propertiesOf(schema)).map(([name, field]) => [
    name,
    required.includes(name) ? field : { ...field, type: ['string', 'null'] },
  ]);
  return {
    ...schema,
    description: 'What creates an order (4.2).',
    properties: Object.fromEntries(properties),
    required,
    ...(answers['order.unknown_fields'] === 'refuse' && { additionalProperties: false }),
  };
}

export const refusalContent = (answers: Assignment): JsonSchema | undefined =>
  refusals[answers['error.shape']];

/** Schemas that the document leaves open, as this backend has them. */
export const openSchemas = (answers: Assignment): Readonly<Record<string, JsonSchema>> => ({
  order: orderSchema(answers),
  'order-request': orderRequest(answers),
  'order-status': {
    type: 'object',
    description: 'An order, and the state that it has now.',
    properties: {
      intent_id: { type: 'string', format: 'uuid' },
      status: { type: 'string', enum: orderStates },
    },
    required: ['intent_id', 'status'],
  },
  health: {
    type: 'object',
    properties: { status: { type: 'string', enum: ['ok'] } },
    required: ['status'],
  },
});
