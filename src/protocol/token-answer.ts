import type { Exchange } from '../history/records.ts';
import { fieldsOf, succeeded } from './answers.ts';
import { isObject, isSet, textOf, visit } from './json.ts';

/** True if a text has the form of a JWT. */
export const isJwt = (text: string): boolean => /^ey[\w-]{6,}\.[\w-]{2,}\.[\w-]*$/.test(text);
const tokenNames: readonly string[] = ['token', 'access_token', 'accesstoken', 'jwt', 'id_token'];

/** True if the text can be sent in a header unchanged. */
const isSendable = (text: string): boolean => /^[\x21-\x7e]+$/.test(text);

const bare = (text: string): string => text.trim().replace(/^bearer\s+/i, '');

/**
 * Token of a successful answer: from the field of part 2.6, or else from anywhere in the answer. Rules judge a token in
 * the wrong place; the run goes on with it.
 */
export function tokenIn(exchange: Exchange): string | undefined {
  const { response } = exchange;
  if (!response || !succeeded(exchange)) return undefined;
  const due = textOf(fieldsOf(exchange), 'token');
  if (due !== undefined && due !== '') return due;
  const found: string[] = [];
  const named: string[] = [];
  const look = (name: string, value: unknown): void => {
    if (typeof value !== 'string') return;
    const text = bare(value);
    if (isJwt(text)) found.push(text);
    else if (isSendable(text) && tokenNames.includes(name.toLowerCase())) named.push(text);
  };
  visit(response.body, look);
  look('', response.text);
  visit(response.headers, look);
  return found[0] ?? named[0];
}

/** `expires_in` of a token answer, unchecked: from the result, or from the top level if the envelope is missing. */
export function lifetimeIn(exchange: Exchange): unknown {
  const { expires_in: due } = fieldsOf(exchange);
  const body = exchange.response?.body;
  return isSet(due) || !isObject(body) ? due : body['expires_in'];
}
