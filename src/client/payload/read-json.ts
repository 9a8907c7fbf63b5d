import { type LimitError, limitError, ownLimits } from '../../history/limits.ts';
import { countMembers, scanJson } from './scan-json.ts';
import { type SharedObject, sharedObjectAt } from './shared-objects.ts';

/**
 * Result of reading a text: its JSON value and its oddities, or the reason why there is none: it is no JSON, or a limit
 * of ours was met.
 */
type JsonReading =
  | {
      readonly ok: true;
      readonly value: unknown;
      readonly oddities: readonly string[];
      /** Number of values in it, at least. */
      readonly count: number;
      /** The number of values in objects that were read before. They take no memory of their own. */
      readonly held: number;
    }
  | { readonly ok: false; readonly reason: string }
  | { readonly ok: false; readonly limit: LimitError };

const heldIn = (objects: readonly SharedObject[]): number =>
  objects.reduce((sum, { times, values }) => sum + (times > 1 ? values : 0), 0);

const beyond = (...limit: Parameters<typeof limitError>): JsonReading => ({
  ok: false,
  limit: limitError(...limit),
});

/** Reads a text. The values must never be changed: equal ones may be the same object. */
export const readJson = (text: string): JsonReading => readShared(text) ?? readWhole(text);

function readWhole(text: string): JsonReading {
  const { depth, members, values, longest } = scanJson(text);
  const { 'json.depth': deepest, 'json.values': mostValues } = ownLimits;
  if (depth > deepest) return beyond('json.depth', `JSON nested ${depth} deep is not read`);
  if (values > mostValues) {
    return beyond('json.values', `JSON of more than ${mostValues} values is not read`);
  }
  if (longest > ownLimits['text.chars']) {
    return beyond('text.chars', `JSON with a string of ${longest} characters is not read`);
  }
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    // The exact error text differs between versions of the host.
    return { ok: false, reason: 'not JSON' };
  }
  const oddities = countMembers(value) < members ? ['an object has a key twice'] : [];
  return { ok: true, value, oddities, count: values, held: 0 };
}

const space = /\s*/y;
function afterSpace(text: string, at: number): number {
  space.lastIndex = at;
  space.test(text);
  return space.lastIndex;
}

/** Longer lists are no pages. Looking up each of their items takes longer than reading the whole list. */
const mostShared = 5_000;

/** The value of `data`: one object, or a list of them, and the index of the character after it. */
function sharedAt(text: string, at: number) {
  if (text[at] === '{') {
    const object = sharedObjectAt(text, at);
    return object && { objects: [object], isList: false, end: at + object.text.length };
  }
  if (text[at] !== '[') return undefined;
  const objects: SharedObject[] = [];
  let next = at;
  do {
    next = afterSpace(text, next + 1);
    const object = text[next] === '{' ? sharedObjectAt(text, next) : undefined;
    if (!object || objects.length >= mostShared) return undefined;
    objects.push(object);
    next = afterSpace(text, next + object.text.length);
  } while (text[next] === ',');
  return text[next] === ']' ? { objects, isList: true, end: next + 1 } : undefined;
}

/**
 * Reads an envelope around shared objects, or an event's payload, which is shared as a whole. Undefined for any other
 * text, and for a text with oddities.
 */
function readShared(text: string): JsonReading | undefined {
  const name = /"data"\s*:\s*/.exec(text);
  if (!name) {
    const object = text.startsWith('{') ? sharedObjectAt(text, 0) : undefined;
    if (object?.text.length !== text.length) return undefined;
    const { value, values: count } = object;
    return { ok: true, value, oddities: [], count, held: heldIn([object]) };
  }
  const start = name.index + name[0].length;
  // Within a string, or at a deeper level, `data` is another member.
  const head = text.slice(0, name.index);
  if (head.endsWith('\\') || scanJson(head).open !== 1) return undefined;
  const shared = sharedAt(text, start);
  if (!shared) return undefined;
  const { objects, isList, end } = shared;
  const places = objects.map(() => '0').join(',');
  const rest = readWhole(
    `${text.slice(0, start)}${isList ? `[${places}]` : places}${text.slice(end)}`,
  );
  if (!rest.ok || rest.oddities.length > 0) return undefined;
  const envelope = rest.value as Record<string, unknown>;
  if (!Object.hasOwn(envelope, 'data')) return undefined;
  const values = objects.map(({ value }) => value);
  envelope['data'] = isList ? values : values[0];
  const count = objects.reduce((sum, each) => sum + each.values, rest.count);
  if (count > ownLimits['json.values']) return undefined;
  return { ok: true, value: envelope, oddities: [], count, held: heldIn(objects) };
}
