import { eventKinds, heartbeat } from '../../spec/events.ts';
import { type Field, fieldsOf } from '../../spec/fields.ts';
import { type ResourceName, resources } from '../../spec/resources.ts';
import { failureReasons } from '../../spec/vocabulary.ts';

/** Static type of a value. `unknown`: the document does not define it, so it is known only at run time. */
export type Type =
  | { readonly kind: 'decimal' | 'time' | 'duration' | 'count' | 'flag' | 'stream' | 'unknown' }
  | { readonly kind: 'text'; readonly values?: readonly string[]; readonly form?: string }
  | {
      readonly kind: 'object';
      readonly name: string;
      readonly fields: Readonly<Record<string, Type>>;
    }
  | { readonly kind: 'list'; readonly item: Type };

export const decimal: Type = { kind: 'decimal' };
export const time: Type = { kind: 'time' };
export const duration: Type = { kind: 'duration' };
export const count: Type = { kind: 'count' };
export const text: Type = { kind: 'text' };
export const unknown: Type = { kind: 'unknown' };
export const stream: Type = { kind: 'stream' };
export const listOf = (item: Type): Type => ({ kind: 'list', item });

/**
 * Name of the failure reason in the language, independent of the target's own field for it (gap
 * `order.failure_reason_field`).
 */
export const failureReasonField = 'failure_reason';

function typeOfField(field: Field): Type {
  if (field.form === 'decimal') return decimal;
  if (field.form === 'timestamp') return time;
  if (field.form === 'integer') return count;
  if (field.form !== 'enum') return { kind: 'text', form: field.form };
  return { kind: 'text', ...(field.values && { values: field.values }) };
}

function objectOf(name: string, fields: readonly Field[], more: Record<string, Type> = {}): Type {
  const own = Object.fromEntries(fields.map((field) => [field.name, typeOfField(field)]));
  return { kind: 'object', name, fields: { ...own, ...more } };
}

const reason: Type = { kind: 'text', values: failureReasons };

/** Caches by key: types are needed for every answer. */
function once<K, V>(make: (key: K) => V): (key: K) => V {
  const made = new Map<K, V>();
  return (key) => {
    const known = made.get(key) ?? make(key);
    made.set(key, known);
    return known;
  };
}

/** Type of a resource of part 2 in the language. */
export const resourceType = once((name: ResourceName): Type => {
  const more = name === 'order' ? { [failureReasonField]: reason } : {};
  return objectOf(name, fieldsOf(resources[name]), more);
});

/** Type of the answer of a list endpoint: its items and its pagination. */
export const listAnswer = once(
  (name: ResourceName): Type => ({
    kind: 'object',
    name: `list of ${name}`,
    fields: { items: listOf(resourceType(name)), pagination: resourceType('pagination') },
  }),
);

/** Type of a field. The name comes from a file or a target: `toString` has no type unless the document lists it. */
export const fieldType = (of: Type, name: string): Type | undefined =>
  of.kind === 'object' && Object.hasOwn(of.fields, name) ? of.fields[name] : undefined;

/** Type of the answer to `request`, of which nothing is known. */
export const rawAnswer: Type = {
  kind: 'object',
  name: 'answer',
  fields: { status: count, headers: unknown, body: unknown },
};

export const partyType: Type = {
  kind: 'object',
  name: 'party',
  fields: { party_id: text, role: text, token: text },
};

/** Type of the payload of an event: the fields that the document names, and those of its resource. */
export function payloadType(event: string): Type {
  if (event === heartbeat || !Object.hasOwn(eventKinds, event)) return unknown;
  const kind = eventKinds[event as keyof typeof eventKinds];
  if (!('resource' in kind)) return unknown;
  return resourceType(kind.resource);
}

const kindsInWords: Readonly<Record<Exclude<Type['kind'], 'object'>, string>> = {
  decimal: 'a decimal',
  time: 'a moment',
  duration: 'a duration',
  count: 'a whole number',
  flag: 'true or false',
  stream: 'a stream',
  unknown: 'a value',
  text: 'text',
  list: 'a list',
};

/** Name of a type for a message. */
export function named(type: Type): string {
  if (type.kind !== 'object') return kindsInWords[type.kind];
  return /^[aeiou]/.test(type.name) ? `an ${type.name}` : `a ${type.name}`;
}
