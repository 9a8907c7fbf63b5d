import { endpoints } from '../../../spec/endpoints.ts';
import { type Field, fieldsOf } from '../../../spec/fields.ts';
import { castNames } from '../../../spec/requirements/requirement.ts';
import { OrderRequest, QuoteRequest } from '../../../spec/resources.ts';
import { roles } from '../../../spec/vocabulary.ts';
import { type ActionName, actionNames, actionOf, answerOf, endpointFor } from '../actions.ts';
import type { JsonSchema } from '../json-schema.ts';
import { amountSchema, matcherDefinitions, matcherSchemaOf } from '../matcher-schema.ts';
import { recordSchema } from '../shapes.ts';
import { actionFields, commonFields } from './act.ts';
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

const actSchema = (name: ActionName): JsonSchema => {
  const { needs, takes, does } = actionOf(name);
  const own = Object.fromEntries([...needs, ...takes].map((key) => [key, actionFields[key]]));
  const base = recordSchema({ ...own, ...commonFields }, needs);
  const who = Object.fromEntries(
    castNames.map((party) => [party, { const: name, description: does }]),
  );
  const body = withSchema(name);
  return {
    ...base,
    title: name,
    properties: { ...who, ...base.properties, ...(body && { with: body }) },
    oneOf: castNames.map((party) => ({ required: [party] })),
    // The type of a refusal's body is not known, so any `expect` is allowed with one.
    anyOf: [{ required: ['refused'] }, { properties: { expect: expectSchema(name) } }],
  };
};

export const neededKeys: { readonly [name in StepKeyword]?: readonly string[] } = {
  repeat: ['steps'],
  as_each: ['alike_for', 'steps'],
};

const headSchema = (name: StepKeyword): JsonSchema => {
  const { fields, doc, value } = stepTypes[name];
  const base = recordSchema(fields, neededKeys[name] ?? []);
  const head: JsonSchema = { ...value, description: doc };
  return {
    ...base,
    title: name,
    properties: { [name]: head, ...base.properties },
    required: [name, ...(base.required ?? [])],
  };
};

/** The definitions that the schemas of steps and matchers refer to. */
export const definitions: Readonly<Record<string, JsonSchema>> = {
  ...matcherDefinitions,
  step: { anyOf: [...actionNames.map(actSchema), ...stepKeywords.map(headSchema)] },
};
