import type { HistoryRecord } from '../records.ts';
import { isSecretName, memberIn, parameterIn } from './names.ts';

const deepest = 128;

/** True if a value was masked before; the scheme before the mask may still be readable. */
export const isMasked = (value: string): boolean => /^(?:\w+ )?\*{3}\w*$/.test(value);

/** Knowledge gathered from records so far. */
export interface Learned {
  /** Objects visited before: items of lists recur. */
  readonly seen: WeakSet<object>;
  /** Names of members and headers that held secrets. */
  readonly names: Set<string>;
}

/** Collects the texts below members with the names of secrets. */
function gatherBelow(value: unknown, learned: Learned, found: string[], depth = 0): void {
  const { seen, names } = learned;
  if (typeof value !== 'object' || value === null || depth > deepest || seen.has(value)) return;
  seen.add(value);
  if (Array.isArray(value)) {
    for (const item of value) gatherBelow(item, learned, found, depth + 1);
    return;
  }
  for (const name in value) {
    const inner = (value as Readonly<Record<string, unknown>>)[name];
    if (isSecretName(name)) {
      names.add(name);
      found.push(...textsIn(inner, depth + 1));
    } else if (typeof inner === 'object') gatherBelow(inner, learned, found, depth + 1);
    else if (typeof inner === 'string') found.push(...secretsInText(inner));
  }
}

/** Values with the names of secrets within a text that is a form or JSON. */
function secretsInText(text: string): readonly string[] {
  if (!text.includes('=') && !text.includes('":')) return [];
  const pairs = [...text.matchAll(parameterIn), ...text.matchAll(memberIn)];
  return pairs.flatMap(([all, one = '', other = '', value = '']) =>
    isSecretName(all.startsWith('"') ? one : other) ? [value] : [],
  );
}

function textsIn(value: unknown, depth: number): readonly string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null || depth > deepest) return [];
  return Object.values(value).flatMap((inner) => textsIn(inner, depth + 1));
}

/** Secrets in a header of credentials: values of cookies, the text after a scheme, the password of a user. */
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

function* secretsOfHeaders(
  headers: Readonly<Record<string, string>>,
  { names }: Learned,
): Generator<string> {
  for (const name in headers) {
    const value = headers[name] ?? '';
    if (!isSecretName(name) || isMasked(value)) continue;
    names.add(name);
    yield* secretsOfHeader(name, value);
  }
}

/**
 * Secrets of a record, found by the names of its headers, parameters and members. For the suite's own requests only the
 * answers are read: a text that the suite sends in place of a token is no secret.
 */
export function secretsIn(
  record: HistoryRecord,
  isOfOthers: boolean,
  learned: Learned,
): readonly string[] {
  const found: string[] = [];
  if (record.kind === 'end') return found;
  if (record.kind === 'frame') {
    gatherBelow(record.data, learned, found);
    return found;
  }
  const { request, response, query } = record;
  found.push(...secretsOfHeaders(response?.headers ?? {}, learned));
  gatherBelow(response?.body, learned, found);
  if (response?.text !== undefined) found.push(...secretsInText(response.text));
  const sent = [...secretsOfHeaders(request.headers, learned)];
  gatherBelow(query, learned, sent);
  gatherBelow(request.body, learned, sent);
  return isOfOthers ? [...found, ...sent] : found;
}
