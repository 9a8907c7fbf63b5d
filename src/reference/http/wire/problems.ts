import type { Assignment } from '../../../spec/gaps/index.ts';

/** Default status and title by code: the codes of the core, then those of the shell. */
const table = {
  malformed_body: [400, 'The body is not what is expected'],
  missing_field: [400, 'A field is missing'],
  unknown_field: [400, 'A field is not known'],
  invalid_type: [400, 'A field has the wrong type'],
  invalid_form: [422, 'A field has the wrong form'],
  invalid_value: [422, 'A value is not possible'],
  invalid_query: [400, 'A query parameter is not possible'],
  role_not_allowed: [403, 'The role may not do this'],
  not_party_to_order: [403, 'The order is not yours'],
  not_found: [404, 'There is no such thing'],
  wrong_state: [409, 'The state does not allow this'],
  quote_not_usable: [409, 'The quote cannot be used'],
  above_maximum: [409, 'The quote is above the maximum'],
  already_done: [409, 'This has been done already'],
  token_missing: [401, 'A bearer token is needed'],
  token_invalid: [401, 'The token is not valid'],
  token_expired: [401, 'The token has expired'],
  token_foreign: [401, 'The token is of another party'],
  not_json: [400, 'The body is not JSON'],
  too_deep: [400, 'The body is nested too deeply'],
  duplicate_key: [400, 'A key stands twice in one object'],
  unsafe_key: [400, 'A key is not allowed'],
  too_large: [413, 'The body is too large'],
  unsupported_media_type: [415, 'The body must be application/json'],
  bad_request: [400, 'The request is malformed'],
  unknown_path: [404, 'There is no such path'],
  method_not_allowed: [405, 'The path does not have this method'],
  rate_limited: [429, 'Too many requests'],
  unavailable: [503, 'Nothing can be kept for now'],
  internal: [500, 'The backend has a defect'],
} as const satisfies Record<string, readonly [status: number, title: string]>;
type ProblemCode = keyof typeof table;

/** Every refusal code with its default status and its title, for the documents. An assignment may change the status. */
export const problemTable: Readonly<Record<string, readonly [status: number, title: string]>> =
  table;
export const problemCodes: readonly string[] = Object.keys(table);

export interface Problem {
  readonly code: ProblemCode;
  readonly detail: string;
  /** JSON Pointer into the body, or the name of the query or path parameter. */
  readonly at?: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** Codes whose status `error.statuses` does not change: HTTP or the document gives it. */
const fixed: ReadonlySet<ProblemCode> = new Set([
  'token_expired',
  'too_large',
  'unsupported_media_type',
  'unknown_path',
  'method_not_allowed',
  'rate_limited',
  'unavailable',
  'internal',
]);
const refusedTokens: ReadonlySet<ProblemCode> = new Set([
  'token_missing',
  'token_invalid',
  'token_foreign',
]);
const notYours: ReadonlySet<ProblemCode> = new Set(['role_not_allowed', 'not_party_to_order']);

/** The one place in which a refusal gets its status. Part 7 fixes 401 for an expired token alone. */
function statusOf(code: ProblemCode, answers: Assignment): number {
  if (fixed.has(code)) return table[code][0];
  if (refusedTokens.has(code)) return Number(answers['auth.refusal_status']);
  const statuses = answers['error.statuses'];
  if (statuses === 'all-400') return 400;
  if (statuses === 'all-422') return 422;
  return statuses === 'hidden-404' && notYours.has(code) ? 404 : table[code][0];
}

/** A refusal in the shape that the assignment has. A caller can report a problem with its `requestId`. */
export function problemWire(problem: Problem, answers: Assignment, requestId: string) {
  const status = statusOf(problem.code, answers);
  const challenge = status === 401 && challengeOf(problem.code);
  const headers: Readonly<Record<string, string>> = {
    ...problem.headers,
    ...(challenge && { 'www-authenticate': challenge }),
  };
  const { code, detail, at } = problem;
  const where = at === undefined ? {} : { at };
  switch (answers['error.shape']) {
    case 'problem':
      return {
        status,
        headers: { ...headers, 'content-type': 'application/problem+json' },
        body: {
          type: `urn:assay:problem:${code}`,
          title: table[code][1],
          status,
          detail,
          code,
          ...where,
          request_id: requestId,
        },
      };
    case 'error-object':
      return { status, headers, body: { error: { code, message: detail, ...where } } };
    case 'enveloped':
      return {
        status,
        headers,
        body: { errors: [{ code, detail, ...where }], meta: { request_id: requestId } },
      };
    case 'empty':
      return { status, headers };
  }
}

/** RFC 6750, section 3. */
const challengeOf = (code: ProblemCode): string =>
  code === 'token_missing' ? 'Bearer' : 'Bearer error="invalid_token"';
