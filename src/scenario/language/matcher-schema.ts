import { type ResourceName, resources } from '../../spec/resources.ts';
import { matcher, testNames, testShapes } from './matchers.ts';
import { durationShape, type JsonSchema } from './shapes.ts';
import { listAnswer, rawAnswer, resourceType, type Type } from './types.ts';

const expression: JsonSchema = { type: 'string', pattern: '^\\$' };
/** A number in quotes: without them YAML would drop its zeros. */
export const amountSchema: JsonSchema = {
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
export function matcherSchemaOf(type: Type): JsonSchema {
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
export const matcherDefinitions: Readonly<Record<string, JsonSchema>> = {
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
