import type { Exchange } from '../history/records.ts';
import { isObject, type JsonObject } from '../protocol/json.ts';
import { tokenIn } from '../protocol/token-answer.ts';
import { tokenAudience } from '../spec/vocabulary.ts';
import type { Role } from '../spec/vocabulary.ts';

/** Body of a token request. Part 4.1 has no such body. */
export type TokenBody = JsonObject;

/** The fields that a backend may want in the body of a token request. */
const knownFields = (role: Role): TokenBody => ({
  role,
  grant_type: 'client_credentials',
  audience: tokenAudience,
});

/** Statuses that refuse the form of a request: another form may be granted. */
const aboutForm: readonly (number | undefined)[] = [400, 411, 415, 422];

/** True if a token request was refused for its form. */
export const isRefusedForForm = ({ response }: Exchange): boolean =>
  aboutForm.includes(response?.status);

/** The fields that a refusal names. */
function fieldsNamedIn({ response }: Exchange, role: Role): TokenBody {
  const said = response?.text ?? JSON.stringify(response?.body ?? '');
  const named = Object.entries(knownFields(role)).filter(([name]) => said.includes(name));
  return Object.fromEntries(named);
}

/**
 * Requests a token as in part 4.1, without a body. If that is refused for its form: with an empty object, then with the
 * fields that the refusal names. Returns the exchange that brought a token, or else the first.
 */
export async function requestToken(
  role: Role,
  send: (body?: TokenBody) => Promise<Exchange>,
): Promise<Exchange> {
  const first = await send();
  if (!isRefusedForForm(first)) return first;
  const empty = await send({});
  if (tokenIn(empty) !== undefined) return empty;
  const fields = { ...fieldsNamedIn(first, role), ...fieldsNamedIn(empty, role) };
  if (Object.keys(fields).length === 0) return first;
  const full = await send(fields);
  return tokenIn(full) === undefined ? first : full;
}

/** Body of the token request; undefined if it had none. */
export const tokenBodyOf = ({ request }: Exchange): TokenBody | undefined =>
  isObject(request.body) ? request.body : undefined;
