import type { HistoryRecord } from '../../history/records.ts';
import { isObject, type JsonObject } from '../../protocol/json.ts';

/** A UUID with a digit in upper case: the same identifier as in lower case. */
const isRaised = (id: unknown): id is string =>
  typeof id === 'string' && /[A-F]/.test(id) && /^[\da-f-]{36}$/i.test(id);

const names = ['intent_id', 'quote_id'] as const;

/** Copies the object only if an id in it has upper-case digits, which is rare; keeps identity otherwise. */
function lowered<T extends object>(value: T): T {
  const ids = names.filter((name) => isRaised((value as JsonObject)[name]));
  if (ids.length === 0) return value;
  const plain = ids.map((name) => [name, String((value as JsonObject)[name]).toLowerCase()]);
  return { ...value, ...Object.fromEntries(plain) };
}

const loweredPath = (path: string): string =>
  /[A-F]/.test(path)
    ? path.replace(/[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}/gi, (id) => id.toLowerCase())
    : path;

/** Maximum depth at which an event wraps its subject, or an answer the order that it shows. */
const deepest = 3;

type Lower = (value: unknown) => unknown;

/** @param item lowers the ids of one item of a list */
function loweredWithin(value: unknown, item: Lower, depth = 0): unknown {
  if (Array.isArray(value)) {
    return value.some((one) => isObject(one) && item(one) !== one)
      ? value.map((one: unknown) => (isObject(one) ? item(one) : one))
      : value;
  }
  if (!isObject(value)) return value;
  let plain = lowered(value);
  if (depth >= deepest) return plain;
  for (const name in value) {
    const inner = value[name];
    if (typeof inner !== 'object' || inner === null) continue;
    const within = loweredWithin(inner, item, depth + 1);
    if (within !== inner) plain = { ...plain, [name]: within };
  }
  return plain;
}

/** Looks at each object once: items of lists come again and again as the same one. */
function once(lower: (value: object) => unknown): Lower {
  const known = new Set<object>();
  return (value) => {
    if (typeof value !== 'object' || value === null || known.has(value)) return value;
    const plain = lower(value);
    if (plain === value) known.add(value);
    return plain;
  };
}

/**
 * Records whose orders and quotes are named in lower case, wherever they are named: a target may write the same
 * identifier in either case, and the rules look for it by the letter.
 */
export function withLowerCaseIds(records: readonly HistoryRecord[]): HistoryRecord[] {
  const item = once(lowered);
  const payload = once((data) => loweredWithin(data, item));
  return records.map((record) => {
    if (record.kind === 'end') return record;
    if (record.kind === 'frame') {
      const data = payload(record.data);
      return data === record.data ? record : { ...record, data };
    }
    const { params, query, request, response } = record;
    const plain = { params: lowered(params), query: lowered(query) };
    const path = loweredPath(request.path);
    const body = loweredWithin(response?.body, item);
    const isPlain =
      plain.params === params &&
      plain.query === query &&
      path === request.path &&
      body === response?.body;
    if (isPlain) return record;
    return {
      ...record,
      ...plain,
      request: { ...request, path },
      ...(response && { response: { ...response, body } }),
    };
  });
}
