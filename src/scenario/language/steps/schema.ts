import { castNames } from '../../../spec/requirements/requirement.ts';
import { type ActionName, actionNames, actionOf } from '../actions.ts';
import type { JsonSchema } from '../json-schema.ts';
import { matcherSchema } from '../matchers.ts';
import { recordSchema } from '../shapes.ts';
import { actionFields, commonFields } from './act.ts';
import { type HeadName, headNames, heads } from './index.ts';

const actSchema = (name: ActionName): JsonSchema => {
  const { needs, takes, does } = actionOf(name);
  const own = Object.fromEntries([...needs, ...takes].map((key) => [key, actionFields[key]]));
  const base = recordSchema({ ...own, ...commonFields }, needs);
  const who = Object.fromEntries(
    castNames.map((party) => [party, { const: name, description: does }]),
  );
  return {
    ...base,
    title: name,
    properties: { ...who, ...base.properties },
    oneOf: castNames.map((party) => ({ required: [party] })),
  };
};

const headSchema = (name: HeadName): JsonSchema => {
  const { fields, doc, value } = heads[name];
  const base = recordSchema(fields, name === 'repeat' ? ['steps'] : []);
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
  matcher: matcherSchema,
  step: { anyOf: [...actionNames.map(actSchema), ...headNames.map(headSchema)] },
};
