import {
  durationForm,
  parseDuration,
  suggestion,
  type YamlEntry,
  type YamlNode,
  type YamlScalar,
} from '../../yaml/index.ts';
import type { Arg, At, Entry, Located, Reader, SourceLocation } from './reader.ts';

/** JSON Schema (2020-12 and 07 alike): the keywords that this code reads again, and any others. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/**
 * Definition of one piece of the language: it reads the piece, and describes it for editors and for the docs. If `read`
 * returns `undefined`, the reader has recorded a problem.
 */
export interface Shape<T> {
  read(node: YamlNode, reader: Reader): T | undefined;
  readonly schema: JsonSchema;
}

export type ReadBy<S> = S extends Shape<infer T> ? T : never;

export const described = <T>(shape: Shape<T>, description: string): Shape<T> => ({
  ...shape,
  schema: { ...shape.schema, description },
});

export const textOf = (node: YamlNode): string =>
  node.kind === 'scalar' ? String(node.value ?? '') : '';

/** A scalar that `parse` accepts. `hint` may help with another one. */
const scalar = <T>(
  what: string,
  schema: JsonSchema,
  parse: (written: YamlScalar) => T | undefined,
  hint: (written: YamlScalar) => string | undefined = () => undefined,
): Shape<At<T>> => ({
  read(node, reader) {
    const isScalar = node.kind === 'scalar';
    const value = isScalar ? parse(node) : undefined;
    if (value !== undefined) return { value, at: reader.location(node.place) };
    return reader.problems.wrong(node, what, isScalar ? hint(node) : undefined);
  },
  schema,
});

/** Literal text, without expressions. */
export const literalText = (what: string, pattern?: RegExp): Shape<At<string>> =>
  scalar(
    what,
    { type: 'string', ...(pattern && { pattern: pattern.source }) },
    ({ value }) => {
      const fits =
        typeof value === 'string' && value.trim() !== '' && (pattern?.test(value) ?? true);
      return fits ? value : undefined;
    },
    ({ value, written }) =>
      value === null || typeof value === 'string'
        ? undefined
        : `write it in quotes: ${JSON.stringify(written)}`,
  );

/** One word of a closed list. */
export const oneOf = <const T extends string>(what: string, choices: readonly T[]): Shape<At<T>> =>
  scalar(
    `${what}: ${choices.join(', ')}`,
    { enum: choices },
    ({ value }) => choices.find((choice) => choice === String(value)),
    ({ value }) => suggestion(String(value ?? ''), choices),
  );

/** Milliseconds. */
export const durationShape = scalar(
  durationForm,
  { type: 'string', pattern: '^(\\d+(\\.\\d+)?(d|h|m|s|ms))+$' },
  ({ value }) => (typeof value === 'string' ? parseDuration(value) : undefined),
  ({ value, written }) =>
    typeof value === 'number' ? `say the unit: ${written}s, ${written}ms` : undefined,
);

export const wholeNumber = (what: string, least: number, most: number): Shape<At<number>> =>
  scalar(what, { type: 'integer', minimum: least }, ({ value }) =>
    typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
      ? value
      : undefined,
  );

/** Accepts only `true`; otherwise the key is left out. */
export const trueShape = scalar('true, or leave it out', { const: true }, ({ value }) =>
  value === true ? true : undefined,
);

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

/** The items if all of them could be read. */
export const allRead = <T>(items: readonly (T | undefined)[]): readonly T[] | undefined =>
  items.every((item) => item !== undefined) ? items : undefined;

export const listOf = <T>(item: Shape<T>, what: string): Shape<readonly T[]> => ({
  read(node, reader) {
    if (node.kind !== 'list') return reader.problems.wrong(node, `${what}, as a list`);
    if (node.items.length === 0) return reader.problems.wrong(node, `${what}, at least one`);
    return allRead(node.items.map((one) => item.read(one, reader)));
  },
  schema: { type: 'array', items: item.schema, minItems: 1 },
});

/** The form of a name. */
export const nameForm = /^[A-Za-z_]\w*$/;

/** A mapping with keys that its author chooses. */
export const mapOf = <T>(
  shape: Shape<T>,
  what: string,
  form: RegExp = nameForm,
): Shape<readonly Entry<T>[]> => ({
  read(node, reader) {
    if (node.kind !== 'map') return reader.problems.wrong(node, `${what}, as a mapping`);
    return allRead(
      node.entries.map(({ key, keyPlace, value: written }) => {
        if (!form.test(key)) {
          reader.problems.add(keyPlace, `found the name ${JSON.stringify(key)}`, {
            expected: 'a name of letters, digits and underscores',
          });
        }
        const value = shape.read(written, reader);
        return value === undefined ? undefined : { key, at: reader.location(keyPlace), value };
      }),
    );
  },
  schema: {
    type: 'object',
    patternProperties: { [form.source]: shape.schema },
    additionalProperties: false,
  },
});

export type Fields = Readonly<Record<string, Shape<unknown>>>;
type Read<F, R extends keyof F> = { readonly [K in R]: ReadBy<F[K]> } & {
  readonly [K in Exclude<keyof F, R>]?: ReadBy<F[K]>;
} & { readonly at: SourceLocation };

/** A mapping with a closed set of keys. */
export interface RecordShape<F extends Fields, R extends keyof F & string>
  extends Shape<Read<F, R>> {
  readonly fields: F;
  readonly required: readonly R[];
  /** Reads some entries of a mapping, such as all but one that has already been read. */
  readEntries(
    entries: readonly YamlEntry[],
    at: SourceLocation,
    reader: Reader,
  ): Read<F, R> | undefined;
  /** Like `readEntries`, but returns the readable fields even if others have errors. */
  readSome(entries: readonly YamlEntry[], at: SourceLocation, reader: Reader): Read<F, never>;
}

export function record<F extends Fields, R extends keyof F & string = never>(
  what: string,
  fields: F,
  required: readonly R[] = [],
): RecordShape<F, R> {
  const shape: RecordShape<F, R> = {
    fields,
    required,
    readSome(entries, at, reader) {
      const found: Record<string, unknown> = {};
      for (const { key, keyPlace, value } of entries) {
        const field = Object.hasOwn(fields, key) ? fields[key] : undefined;
        if (!field) reader.problems.unknownKey(key, keyPlace, what, Object.keys(fields));
        const read = field?.read(value, reader);
        if (read !== undefined) found[key] = read;
      }
      for (const key of required) {
        if (entries.some((entry) => entry.key === key)) continue;
        reader.problems.add(at, `${what} lacks ${JSON.stringify(key)}`);
      }
      return { ...found, at } as unknown as Read<F, never>;
    },
    readEntries(entries, at, reader) {
      const before = reader.problems.found.length;
      const found = shape.readSome(entries, at, reader);
      const isSound = reader.problems.found.length === before;
      return isSound ? (found as unknown as Read<F, R>) : undefined;
    },
    read(node, reader) {
      if (node.kind !== 'map') return reader.problems.wrong(node, `${what}, as a mapping`);
      return shape.readEntries(node.entries, reader.location(node.place), reader);
    },
    schema: {
      type: 'object',
      properties: Object.fromEntries(
        Object.entries(fields).map(([key, { schema }]) => [key, schema]),
      ),
      ...(required.length > 0 && { required }),
      additionalProperties: false,
    },
  };
  return shape;
}

/** A step as written: the entry that gives its kind, and the other entries. */
export interface StepSource {
  readonly head: YamlEntry;
  readonly rest: readonly YamlEntry[];
  /** The place of the head's key. */
  readonly at: SourceLocation;
  readonly reader: Reader;
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
