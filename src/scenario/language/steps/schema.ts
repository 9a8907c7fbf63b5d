import { endpoints } from '../../../spec/endpoints.ts';
import { type Field, fieldsOf } from '../../../spec/fields.ts';
import { castNames } from '../../../spec/requirements/requirement.ts';
import {
  OrderRequest,
  QuoteRequest,
  type ResourceName,
  resources,
} from '../../../spec/resources.ts';
import { roles } from '../../../spec/vocabulary.ts';
import { type ActionName, actionNames, actionOf, answerOf, endpointFor } from '../actions.ts';
import { matcher, testNames, testShapes } from '../matchers.ts';
import { listAnswer, rawAnswer, resourceType, type Type } from '../types.ts';
import { actionKeys } from './act.ts';
import { type StepKeyword, stepKeywords, stepTypes } from './index.ts';
import { durationShape, type JsonSchema } from '../../../yaml/index.ts';

const expression: JsonSchema = { type: 'string', pattern: '^\\$' };
/** A number in quotes: without them YAML would drop its zeros. */
const amountSchema: JsonSchema = {
  type: 'string',
  pattern: '^(-?\\d+(\\.\\d+)?|\\$.*)$',
  description: 'A decimal number, in quotes.',
};

/** Schema of a mapping of tests, for editors. */
const testsSchema: JsonSchema = {
  type: 'object',
  minProperties: 1,
  properties: {
    ...Object.fromEntries(testNames.map((name) => [name, testShapes[name].schema])),
    decimal: { ...amountSchema, description: testShapes.decimal.schema.description ?? '' },
    moment: { type: 'string', description: testShapes.moment.schema.description ?? '' },
    within: { anyOf: [amountSchema, durationShape.schema] },
  },
  additionalProperties: false,
};
const tests: JsonSchema = { $ref: '#/definitions/tests' };

/** Schema of a matcher for any value: a value, a list, a mapping of tests, or a mapping of fields. */
const matcherSchema: JsonSchema = {
  anyOf: [
    { type: ['string', 'number', 'boolean', 'null'] },
    { type: 'array', items: matcher.schema },
    tests,
    {
      type: 'object',
      minProperties: 1,
      additionalProperties: matcher.schema,
      propertyNames: { not: { enum: [...testNames, 'within'] } },
    },
  ],
};

const named = (name: string): JsonSchema => ({ $ref: `#/definitions/${name}` });

/** Schema of a matcher for a value of a known type; common schemas are shared definitions. */
function matcherSchemaOf(type: Type): JsonSchema {
  switch (type.kind) {
    case 'decimal':
    case 'count':
      return named(type.kind);
    case 'time':
    case 'duration':
      return named('moment');
    case 'text':
      return type.values ? { anyOf: [{ enum: type.values }, expression, tests] } : named('text');
    case 'list':
      return { anyOf: [{ type: 'array', items: matcherSchemaOf(type.item) }, expression, tests] };
    case 'object':
      return named(type.name);
    case 'flag':
    case 'stream':
    case 'unknown':
      return matcher.schema;
  }
}

function objectSchema(type: Type): JsonSchema {
  const fields = type.kind === 'object' ? Object.entries(type.fields) : [];
  const properties = Object.fromEntries(
    fields.map(([name, field]) => [name, matcherSchemaOf(field)]),
  );
  const mapShape = { type: 'object', minProperties: 1, properties, additionalProperties: false };
  return { anyOf: [mapShape, expression, tests] };
}

const resourceNames = Object.keys(resources) as ResourceName[];
const objects: readonly Type[] = [
  ...resourceNames.flatMap((name) => [resourceType(name), listAnswer(name)]),
  rawAnswer,
];

/** Definitions that the schemas of matchers refer to. */
const matcherDefinitions: Readonly<Record<string, JsonSchema>> = {
  tests: testsSchema,
  matcher: matcherSchema,
  decimal: { anyOf: [amountSchema, tests] },
  count: { anyOf: [{ type: 'integer' }, expression, tests] },
  moment: { anyOf: [{ type: 'string' }, tests] },
  text: { anyOf: [{ type: 'string' }, tests] },
  ...Object.fromEntries(
    objects.flatMap((type) => (type.kind === 'object' ? [[type.name, objectSchema(type)]] : [])),
  ),
};

/** Schema of the answer of an action, for the roles that may perform it. Other roles get a refusal. */
function expectSchema(name: ActionName): JsonSchema {
  const allowed = roles.filter((role) => {
    const endpoint = endpointFor(name, role);
    const may: readonly string[] = endpoint ? endpoints[endpoint].roles : roles;
    return may.length === 0 || may.includes(role);
  });
  const known = allowed.map((role) => JSON.stringify(matcherSchemaOf(answerOf(name, role))));
  const [first, ...others] = [...new Set(known)].map((text) => JSON.parse(text) as JsonSchema);
  return others.length > 0 && first ? { anyOf: [first, ...others] } : (first ?? {});
}

const bodies: Partial<Record<ActionName, readonly Field[]>> = {
  'create order': fieldsOf(OrderRequest),
  'submit quote': fieldsOf(QuoteRequest),
};

/** Schema of the body: its fields by name, with amounts in quotes. */
function withSchema(name: ActionName): JsonSchema | undefined {
  const fields = bodies[name];
  if (!fields) return undefined;
  const properties = Object.fromEntries(
    fields.map((field) => [
      field.name,
      field.form === 'decimal' ? amountSchema : { type: 'string' },
    ]),
  );
  const more = name === 'submit quote' ? { valid_for: { type: 'string' } } : {};
  return { type: 'object', properties: { ...properties, ...more }, additionalProperties: false };
}

function actSchema(name: ActionName): JsonSchema {
  const base = actionKeys(name).schema;
  const description = actionOf(name).does;
  const who = Object.fromEntries(castNames.map((party) => [party, { const: name, description }]));
  const body = withSchema(name);
  return {
    ...base,
    title: name,
    properties: { ...who, ...base.properties, ...(body && { with: body }) },
    oneOf: castNames.map((party) => ({ required: [party] })),
    // The type of a refusal's body is not known, so any `expect` is allowed with one.
    anyOf: [{ required: ['refused'] }, { properties: { expect: expectSchema(name) } }],
  };
}

function headSchema(name: StepKeyword): JsonSchema {
  const { keys, doc, value } = stepTypes[name];
  const base: JsonSchema = keys.schema;
  return {
    ...base,
    title: name,
    properties: { [name]: { ...value, description: doc }, ...base.properties },
    required: [name, ...(base.required ?? [])],
  };
}

/** The definitions that the schemas of steps and matchers refer to. */
export const definitions: Readonly<Record<string, JsonSchema>> = {
  ...matcherDefinitions,
  step: { anyOf: [...actionNames.map(actSchema), ...stepKeywords.map(headSchema)] },
};
