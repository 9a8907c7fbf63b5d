import type { HistoryRecord } from '../records.ts';
import { isSecretName } from './names.ts';

const deepest = 128;

/** What was looked at before: items of lists come again and again. */
export type Seen = WeakSet<object>;

/** Gathers the texts below members that are named as secrets. */
function gatherBelow(value: unknown, seen: Seen, found: string[], depth = 0): void {
  if (typeof value !== 'object' || value === null || depth > deepest || seen.has(value)) return;
  seen.add(value);
  if (Array.isArray(value)) {
    for (const item of value) gatherBelow(item, seen, found, depth + 1);
    return;
  }
  for (const name in value) {
    const inner = (value as Readonly<Record<string, unknown>>)[name];
    if (typeof inner !== 'string' && typeof inner !== 'object') continue;
    if (isSecretName(name)) found.push(...textsIn(inner, depth + 1));
    else gatherBelow(inner, seen, found, depth + 1);
  }
}

function textsIn(value: unknown, depth: number): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > deepest) return [];
  return Object.values(value).flatMap((inner) => textsIn(inner, depth + 1));
}

/** What a header of credentials holds: the values of cookies, what follows a scheme, a user's password. */
function* secretsOfHeader(name: string, value: string): Generator<string> {
  if (/cookie/i.test(name)) {
    for (const pair of value.split(/[;,]\s*/)) {
      const [key = '', ...rest] = pair.split('=');
      if (rest.length > 0 && !cookieAttributes.has(key.toLowerCase())) yield rest.join('=');
    }
    return;
  }
  const [, scheme, rest = value] = /^(\w+)\s+(\S+)$/.exec(value) ?? [];
  yield rest;
  if (scheme?.toLowerCase() !== 'basic') return;
  const [, password] = /^[^:]*:(.*)$/s.exec(Buffer.from(rest, 'base64').toString('utf8')) ?? [];
  if (password !== undefined) yield password;
}

const cookieAttributes: ReadonlySet<string> = new Set([
  'path',
  'domain',
  'expires',
  'max-age',
  'samesite',
  'priority',
]);

function* secretsOfHeaders(headers: Readonly<Record<string, string>> = {}): Generator<string> {
  for (const name in headers) {
    if (isSecretName(name)) yield* secretsOfHeader(name, headers[name] ?? '');
  }
}

/**
 * What a record says is secret, by the names of its headers, parameters and members. Of what the suite itself sent only
 * the answers: what it sends in place of a token is no secret.
 */
export function secretsIn(
  record: HistoryRecord,
  isOfOthers: boolean,
  seen: Seen,
): readonly string[] {
  const found: string[] = [];
  if (record.kind === 'end') return found;
  if (record.kind === 'frame') {
    gatherBelow(record.data, seen, found);
    return found;
  }
  const { request, response, query } = record;
  found.push(...secretsOfHeaders(response?.headers));
  gatherBelow(response?.body, seen, found);
  if (!isOfOthers) return found;
  found.push(...secretsOfHeaders(request.headers));
  gatherBelow(query, seen, found);
  gatherBelow(request.body, seen, found);
  return found;
}
