import type { HistoryRecord } from '../../history/records.ts';
import { plainParty } from '../../protocol/equality.ts';
import { isObject, type JsonObject } from '../../protocol/json.ts';
import { hasForm } from '../../spec/forms.ts';
import { namesOfForm } from '../../spec/resources.ts';

/** A digit in upper case, by the form of an identifier. The name of a party is no digit. */
const raised = { uuid: /[A-F]/, party: /[A-F][\da-fA-F]*$/ } as const;

/** Form by field. The subject of a token is a party as well. */
const formOf = new Map([
  ...namesOfForm('uuid').map((name) => [name, 'uuid'] as const),
  ...[...namesOfForm('party'), 'sub'].map((name) => [name, 'party'] as const),
]);

/** The identifier with its digits in lower case; undefined if it has none in upper case. */
function plainId(form: 'uuid' | 'party', id: unknown): string | undefined {
  if (typeof id !== 'string' || !raised[form].test(id) || !hasForm(form, id)) return undefined;
  return form === 'uuid' ? id.toLowerCase() : plainParty(id);
}

/** Copies the object only if an id in it has upper-case digits, which is rare; keeps identity otherwise. */
function lowered<T extends object>(value: T): T {
  let plain = value;
  for (const [name, form] of formOf) {
    const id = plainId(form, (value as JsonObject)[name]);
    if (id !== undefined) plain = { ...plain, [name]: id };
  }
  return plain;
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
 * Records whose orders, quotes and parties are named in lower case, wherever they are named: a target may write the
 * same identifier in either case, and the rules look for it by the letter.
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
    const { params, query, request, response, claims } = record;
    const plain = { params: lowered(params), query: lowered(query) };
    const [sent, claimed] = [loweredWithin(request.body, item), claims && lowered(claims)];
    const path = loweredPath(request.path);
    const body = loweredWithin(response?.body, item);
    const isPlain =
      plain.params === params &&
      plain.query === query &&
      path === request.path &&
      sent === request.body &&
      claimed === claims &&
      body === response?.body;
    if (isPlain) return record;
    return {
      ...record,
      ...plain,
      ...(claimed && { claims: claimed }),
      request: { ...request, path, ...(sent !== undefined && { body: sent }) },
      ...(response && { response: { ...response, body } }),
    };
  });
}
