import { endpoints } from '../../../spec/endpoints.ts';
import { type Field, fieldsOf } from '../../../spec/fields.ts';
import { castNames } from '../../../spec/requirements/requirement.ts';
import { OrderRequest, QuoteRequest } from '../../../spec/resources.ts';
import { roles } from '../../../spec/vocabulary.ts';
import { type ActionName, actionNames, actionOf, answerOf, endpointFor } from '../actions.ts';
import { amountSchema, matcherDefinitions, matcherSchemaOf } from '../matcher-schema.ts';
import type { JsonSchema } from '../shapes.ts';
import { actionKeys } from './act.ts';
import { type StepKeyword, stepKeywords, stepTypes } from './index.ts';

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
