import type { Assignment } from '../../../spec/gaps/index.ts';
import type { JsonSchema } from '../../../spec/jsonschemas.ts';
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

const contents: Readonly<Record<Assignment['error.shape'], JsonSchema | undefined>> = {
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

/** Content of a refusal under an assignment, by media type; undefined if it has none. */
export const refusalContent = (answers: Assignment): JsonSchema | undefined =>
  contents[answers['error.shape']];
