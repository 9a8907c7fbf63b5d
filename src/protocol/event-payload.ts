import { eventKinds, type EventKind, type EventName } from '../spec/events.ts';
import { isObject, type JsonObject } from '../history/json.ts';
import type { Frame } from '../history/records.ts';

export const eventKind = (event: string): EventKind | undefined =>
  Object.hasOwn(eventKinds, event) ? eventKinds[event as EventName] : undefined;

const isPast = (name: string): boolean => /^(before|former|old|prev|prior)/i.test(name);

/** Objects that are members of an object; members that show an earlier state come last. */
const objectsIn = (value: JsonObject): JsonObject[] =>
  Object.entries(value)
    .toSorted(([a], [b]) => Number(isPast(a)) - Number(isPast(b)))
    .map(([, inner]) => inner)
    .filter(isObject);

/**
 * The object that a frame is about. The document names an event's fields under a noun ("order object: ..."). That noun
 * may be the payload itself or a member of it (gap `event.wrapping`). Returns the outermost object with all of the
 * fields, or else the outermost object with one of them. An object that shows the state before the event does not
 * count.
 */
export function payloadOf({ event, data }: Pick<Frame, 'event' | 'data'>): JsonObject | undefined {
  if (!isObject(data)) return undefined;
  const kind = eventKind(event);
  const required = kind && kind.fields.length > 0 ? kind.fields : ['intent_id'];
  if (required.every((field) => data[field] !== undefined)) return data;
  const level = [data, ...objectsIn(data)];
  const deeper = level.slice(1).flatMap(objectsIn);
  const candidates = [...level, ...deeper];
  return (
    candidates.find((value) => required.every((field) => value[field] !== undefined)) ??
    candidates.find((value) => required.some((field) => value[field] !== undefined)) ??
    data
  );
}

const idIn = (value: unknown): string | undefined => {
  const id = isObject(value) ? value['intent_id'] : undefined;
  return typeof id === 'string' ? id : undefined;
};

/** Id of the order that a frame names, in the resource or beside it; undefined if it names none. */
export function intentIdOf(
  { data }: Pick<Frame, 'data'>,
  payload: JsonObject | undefined,
): string | undefined {
  const direct = idIn(payload) ?? idIn(data);
  if (direct !== undefined || !isObject(data)) return direct;
  for (const inner of Object.values(data)) {
    const found = idIn(inner);
    if (found !== undefined) return found;
  }
  return undefined;
}
