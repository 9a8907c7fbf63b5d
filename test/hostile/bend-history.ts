import type { Exchange, Frame, History, HistoryRecord } from '../../src/history/records.ts';

/** A place in a history: a record, and the path to a value of the target in it. */
export interface Place {
  readonly record: number;
  readonly path: readonly (string | number)[];
}

/** The parts of a record that the target chose. The suite chose all others. */
const sentByTarget = (record: HistoryRecord): Readonly<Record<string, unknown>> => {
  if (record.kind === 'frame') {
    const { data, event, eventId, text } = record;
    return { data, event, eventId, text };
  }
  if (record.kind === 'end') return {};
  const { claims, response } = record;
  return { claims, response: response && { headers: response.headers, body: response.body } };
};

function* pathsIn(value: unknown, path: Place['path'] = []): Generator<Place['path']> {
  if (path.length > 0) yield path;
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value)) {
    if (inner !== undefined) yield* pathsIn(inner, [...path, name]);
  }
}

/** Headers, names and ids of messages must stay text: the wire can carry nothing else. */
const isTextual = (path: Place['path']): boolean =>
  path[0] === 'event' || path[0] === 'eventId' || path[0] === 'text' || path[1] === 'headers';
const isContainer = (path: Place['path']): boolean =>
  path.length === 1 && (path[0] === 'response' || path[0] === 'claims');

/** Every place with a value that a target chooses. */
export const placesIn = ({ records }: History): readonly Place[] =>
  records.flatMap((record, index) =>
    [...pathsIn(sentByTarget(record))]
      .filter((path) => !isContainer(path) && path.at(-1) !== 'headers')
      .map((path) => ({ record: index, path })),
  );

function bentAt(value: unknown, path: Place['path'], bend: (old: unknown) => unknown): unknown {
  const [name, ...rest] = path;
  if (name === undefined) return bend(value);
  const inner = bentAt(Object(value)[name], rest, bend);
  if (Array.isArray(value)) return value.with(Number(name), inner);
  return { ...Object(value), [name]: inner };
}

/** The same history with other values at some places. */
export function bent(
  { records }: History,
  places: readonly Place[],
  bend: (old: unknown) => unknown,
): History {
  const changed = [...records];
  for (const { record, path } of places) {
    const textual = isTextual(path);
    const fitting = (old: unknown): unknown => {
      const value = bend(old);
      return !textual || typeof value === 'string' ? value : old;
    };
    changed[record] = bentAt(changed[record], path, fitting) as Exchange | Frame;
  }
  return { records: changed };
}

/** The value at a place. */
export const valueAt = ({ records }: History, { record, path }: Place): unknown =>
  path.reduce<unknown>((value, name) => Object(value)[name], records[record]);

/** Names under which a target's values come back in what we send: always texts. */
const sentBack = ['params', 'query', 'request'];

/** The history with one value of the target replaced everywhere, as an id would be. */
export function replaced({ records }: History, old: string, by: unknown): History {
  const swap = (value: unknown, asText: boolean): unknown => {
    if (value === old) return asText && typeof by !== 'string' ? value : by;
    if (Array.isArray(value)) return value.map((item) => swap(item, asText));
    if (typeof value !== 'object' || value === null) return value;
    return Object.fromEntries(
      Object.entries(value).map(([name, inner]) => [
        name,
        swap(inner, asText || sentBack.includes(name) || name === 'headers'),
      ]),
    );
  };
  return {
    records: records.map((record) => {
      const { id, by: driver, party, kind } = record as Exchange;
      const swapped = swap(record, record.kind !== 'exchange') as Exchange;
      // A frame's own payload is the target's; all else in it, and these, are ours.
      const data = record.kind === 'frame' && { data: swap(record.data, false) };
      return { ...swapped, id, by: driver, party, kind, ...data } as HistoryRecord;
    }),
  };
}
