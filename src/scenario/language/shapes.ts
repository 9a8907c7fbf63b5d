import {
  durationForm,
  parseDuration,
  suggestion,
  unknownKey,
  type YamlEntry,
  type YamlNode,
} from '../../yaml/index.ts';
import type { JsonSchema } from './json-schema.ts';
import type { Arg, Located, Reader } from './reader.ts';
import type { SourceLocation } from './source-location.ts';

/**
 * Definition of one piece of the language: it reads the piece, and describes it for editors and for the docs. If `read`
 * returns `undefined`, the reader has recorded a problem.
 */
export interface Shape<T> {
  read(node: YamlNode, reader: Reader): T | undefined;
  readonly schema: JsonSchema;
}

/** A value and its location. */
export interface At<T> {
  readonly value: T;
  readonly at: SourceLocation;
}

type ReadBy<S> = S extends Shape<infer T> ? T : never;

export const described = <T>(shape: Shape<T>, description: string): Shape<T> => ({
  ...shape,
  schema: { ...shape.schema, description },
});

const plainText = (node: YamlNode): string | undefined =>
  node.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined;

/** Literal text, without expressions. */
export const literalText = (what: string, pattern?: RegExp): Shape<At<string>> => ({
  read(node, reader) {
    const value = plainText(node);
    if (value === undefined) {
      const bare = node.kind === 'scalar' && node.value !== null;
      const hint = bare ? `write it in quotes: ${JSON.stringify(node.written)}` : undefined;
      return reader.problems.wrong(node, what, hint);
    }
    const fits = value.trim() !== '' && (pattern?.test(value) ?? true);
    return fits ? { value, at: reader.location(node.place) } : reader.problems.wrong(node, what);
  },
  schema: { type: 'string', ...(pattern && { pattern: pattern.source }) },
});

/** One word of a closed list. */
export const oneOf = <const T extends string>(
  what: string,
  choices: readonly T[],
): Shape<At<T>> => ({
  read(node, reader) {
    const written = node.kind === 'scalar' ? String(node.value ?? '') : '';
    const value = choices.find((choice) => choice === written);
    if (value !== undefined) return { value, at: reader.location(node.place) };
    return reader.problems.wrong(
      node,
      `${what}: ${choices.join(', ')}`,
      suggestion(written, choices),
    );
  },
  schema: { enum: choices },
});

/** Milliseconds. */
export const durationShape: Shape<At<number>> = {
  read(node, reader) {
    const value = parseDuration(plainText(node) ?? '');
    if (value !== undefined) return { value, at: reader.location(node.place) };
    const bare = node.kind === 'scalar' && typeof node.value === 'number';
    const hint = bare ? `say the unit: ${node.written}s, ${node.written}ms` : undefined;
    return reader.problems.wrong(node, durationForm, hint);
  },
  schema: { type: 'string', pattern: '^(\\d+(\\.\\d+)?(d|h|m|s|ms))+$' },
};

export const wholeNumber = (what: string, least: number, most: number): Shape<At<number>> => ({
  read(node, reader) {
    const value = node.kind === 'scalar' ? node.value : null;
    const fits =
      typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most;
    return fits ? { value, at: reader.location(node.place) } : reader.problems.wrong(node, what);
  },
  schema: { type: 'integer', minimum: least },
});

/** Accepts only `true`; otherwise the key is left out. */
export const trueShape: Shape<true> = {
  read(node, reader) {
    if (node.kind === 'scalar' && node.value === true) return true;
    return reader.problems.wrong(node, 'true, or leave it out');
  },
  schema: { const: true },
};

/** A value with expressions, which are evaluated when the step runs. */
export const anyArg: Shape<Arg> = {
  read: (node, reader) => reader.arg(node),
  schema: {},
};

/** `$name`, `$name.field` or `${...}`. */
export const reference = (what: string): Shape<Located> => ({
  read: (node, reader) => reader.expr(node, what),
  schema: { type: 'string', pattern: '^\\$' },
});

export function listOf<T>(item: Shape<T>, what: string): Shape<readonly T[]> {
  return {
    read(node, reader) {
      if (node.kind !== 'list') return reader.problems.wrong(node, `${what}, as a list`);
      if (node.items.length === 0) return reader.problems.wrong(node, `${what}, at least one`);
      const items = node.items.map((one) => item.read(one, reader));
      return items.every((one) => one !== undefined) ? (items as T[]) : undefined;
    },
    schema: { type: 'array', items: item.schema, minItems: 1 },
  };
}

export interface Entry<T> {
  readonly key: string;
  readonly at: SourceLocation;
  readonly value: T;
}

/** A mapping with keys that its author chooses. */
export function mapOf<T>(
  value: Shape<T>,
  what: string,
  key = /^[A-Za-z_][\w ]*$/,
): Shape<readonly Entry<T>[]> {
  return {
    read(node, reader) {
      if (node.kind !== 'map') return reader.problems.wrong(node, `${what}, as a mapping`);
      const entries = node.entries.map((entry) => {
        if (!key.test(entry.key)) {
          reader.problems.add(entry.keyPlace, `found the name ${JSON.stringify(entry.key)}`, {
            expected: 'a name of letters, digits and underscores',
          });
        }
        const read = value.read(entry.value, reader);
        return read === undefined
          ? undefined
          : { key: entry.key, at: reader.location(entry.keyPlace), value: read };
      });
      return entries.every((entry) => entry !== undefined) ? (entries as Entry<T>[]) : undefined;
    },
    schema: {
      type: 'object',
      patternProperties: { [key.source]: value.schema },
      additionalProperties: false,
    },
  };
}

export type Fields = Readonly<Record<string, Shape<unknown>>>;
type Needed<F, R extends keyof F> = { readonly [K in R]: ReadBy<F[K]> };
type Offered<F, R extends keyof F> = { readonly [K in Exclude<keyof F, R>]?: ReadBy<F[K]> };
export type RecordOf<F, R extends keyof F> = Needed<F, R> &
  Offered<F, R> & { readonly at: SourceLocation };

/** A mapping with a closed set of keys. */
export function record<F extends Fields, R extends keyof F & string = never>(
  what: string,
  fields: F,
  required: readonly R[] = [],
): Shape<RecordOf<F, R>> {
  return {
    read(node, reader) {
      if (node.kind !== 'map') return reader.problems.wrong(node, `${what}, as a mapping`);
      return readEntries(what, fields, required, node.entries, reader.location(node.place), reader);
    },
    schema: recordSchema(fields, required),
  };
}

export const recordSchema = (fields: Fields, required: readonly string[]): JsonSchema => ({
  type: 'object',
  properties: Object.fromEntries(Object.entries(fields).map(([key, { schema }]) => [key, schema])),
  ...(required.length > 0 && { required }),
  additionalProperties: false,
});

/** A step as written: the entry that gives its kind, and the other entries. */
export interface StepSource {
  readonly head: YamlEntry;
  readonly rest: readonly YamlEntry[];
  /** The place of the head's key. */
  readonly at: SourceLocation;
  readonly reader: Reader;
}

/** Like `record`, for a mapping of which some keys have already been read. */
export function readEntries<F extends Fields, R extends keyof F & string>(
  what: string,
  fields: F,
  required: readonly R[],
  entries: readonly YamlEntry[],
  at: SourceLocation,
  reader: Reader,
  known: readonly string[] = Object.keys(fields),
): RecordOf<F, R> | undefined {
  const before = reader.problems.found.length;
  const found = readPartial(what, fields, required, entries, at, reader, known);
  const sound = reader.problems.found.length === before;
  return sound ? (found as unknown as RecordOf<F, R>) : undefined;
}

/** Like `readEntries`, but returns the readable fields even if others have errors. */
export function readPartial<F extends Fields>(
  what: string,
  fields: F,
  required: readonly string[],
  entries: readonly YamlEntry[],
  at: SourceLocation,
  reader: Reader,
  known: readonly string[] = Object.keys(fields),
): RecordOf<F, never> {
  const found: Record<string, unknown> = {};
  for (const { key, keyPlace, value } of entries) {
    const shape = Object.hasOwn(fields, key) ? fields[key] : undefined;
    if (!shape) {
      unknownKey(key, keyPlace, what, known, reader.problems);
      continue;
    }
    const read = shape.read(value, reader);
    if (read !== undefined) found[key] = read;
  }
  for (const key of required) {
    if (entries.some((entry) => entry.key === key)) continue;
    reader.problems.add(at, `${what} lacks ${JSON.stringify(key)}`);
  }
  return { ...found, at } as unknown as RecordOf<F, never>;
}

export const mapShape = <A, B>(shape: Shape<A>, turn: (read: A) => B): Shape<B> => ({
  read(node, reader) {
    const read = shape.read(node, reader);
    return read === undefined ? undefined : turn(read);
  },
  schema: shape.schema,
});

/** For shapes that contain themselves: the schema refers to a definition by its name. */
export const lazyShape = <T>(definition: string, shape: () => Shape<T>): Shape<T> => ({
  read: (node, reader) => shape().read(node, reader),
  schema: { $ref: `#/definitions/${definition}` },
});
