import { didYouMean, suggestion } from './did-you-mean.ts';
import { durationForm, durationHint, parseDuration } from './duration.ts';
import { parseYaml } from './parse.ts';
import { type At, type Entry, type FileHost, Reader, type SourceLocation } from './reader.ts';
import type { SourceError, SourceText } from './source-error.ts';
import { plain, type YamlEntry, type YamlNode, type YamlScalar } from './tree.ts';

/** JSON Schema (2020-12 and 07 alike): the keywords that this code reads again, and any others. */
export interface JsonSchema {
  readonly [keyword: string]: unknown;
  readonly description?: string;
  readonly properties?: Readonly<Record<string, JsonSchema>>;
  readonly required?: readonly string[];
}

/**
 * Definition of one piece of a file: it reads the piece, and describes it for editors and for the docs. If `read`
 * returns `undefined`, the reader has recorded a problem.
 */
export interface Shape<T> {
  read(node: YamlNode, reader: Reader): T | undefined;
  readonly schema: JsonSchema;
}

export type ReadYaml<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly errors: readonly SourceError[] };

/** Reads a file of one shape; reports all its errors at once. */
export function readYaml<T>(source: SourceText, shape: Shape<T>, host?: FileHost): ReadYaml<T> {
  const parsed = parseYaml(source);
  if (!parsed.ok) return parsed;
  const reader = new Reader(source.file, host);
  const value = shape.read(parsed.tree, reader);
  const isSound = value !== undefined && reader.found.length === 0;
  return isSound ? { ok: true, value } : { ok: false, errors: reader.found };
}

export type ReadBy<S> = S extends Shape<infer T> ? T : never;

export const described = <T>(shape: Shape<T>, description: string): Shape<T> => ({
  ...shape,
  schema: { ...shape.schema, description },
});

export const textOf = (node: YamlNode): string =>
  node.kind === 'scalar' ? String(node.value ?? '') : '';

/** A scalar that `parse` accepts. `hint` may help with another one. */
export const scalar = <T>(
  what: string,
  schema: JsonSchema,
  parse: (written: YamlScalar) => T | undefined,
  hint: (written: YamlScalar) => string | undefined = () => undefined,
): Shape<At<T>> => ({
  read(node, reader) {
    const isScalar = node.kind === 'scalar';
    const value = isScalar ? parse(node) : undefined;
    if (value !== undefined) return { value, at: reader.location(node.place) };
    return reader.wrong(node, what, isScalar ? hint(node) : undefined);
  },
  schema,
});

/** A number or a word such as `yes` must be quoted where a text is meant, so that it is read exactly as written. */
const inQuotes = ({ value, written }: YamlScalar): string | undefined =>
  value === null || typeof value === 'string'
    ? undefined
    : `write it in quotes: ${JSON.stringify(written)}`;

/** Text that may be empty. */
export const anyText = (what: string): Shape<At<string>> =>
  scalar(
    what,
    { type: 'string' },
    ({ value }) => (typeof value === 'string' ? value : undefined),
    inQuotes,
  );

/** Literal text, without expressions. */
export const literalText = (what: string, pattern?: RegExp): Shape<At<string>> =>
  scalar(
    what,
    { type: 'string', minLength: 1, ...(pattern && { pattern: pattern.source }) },
    ({ value }) => {
      const fits =
        typeof value === 'string' && value.trim() !== '' && (pattern?.test(value) ?? true);
      return fits ? value : undefined;
    },
    inQuotes,
  );

/** One word of a closed list. `what` may be empty: then only the words are named. */
export const oneOf = <const T extends string>(what: string, choices: readonly T[]): Shape<At<T>> =>
  scalar(
    `${what === '' ? 'one of' : `${what}:`} ${choices.join(', ')}`,
    { enum: choices },
    ({ value }) => choices.find((choice) => choice === String(value)),
    ({ value }) => suggestion(String(value ?? ''), choices),
  );

/** Milliseconds. */
export const durationShape = scalar(
  durationForm,
  { type: 'string', pattern: '^(\\d+(\\.\\d+)?(d|h|m|s|ms))+$' },
  ({ value }) => (typeof value === 'string' ? parseDuration(value) : undefined),
  ({ value, written }) => durationHint(written, value),
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

export const yesOrNo = scalar('true or false', { type: 'boolean' }, ({ value }) => {
  const word = String(value);
  return word === 'true' || (word === 'false' ? false : undefined);
});

/** A mapping of any content, as plain data. */
export const plainMap = (what: string): Shape<Readonly<Record<string, unknown>>> => ({
  read: (node, reader) =>
    node.kind === 'map'
      ? (plain(node) as Record<string, unknown>)
      : reader.wrong(node, `${what}, as a mapping`),
  schema: { type: 'object' },
});

/** The items if all of them could be read. */
export const allRead = <T>(items: readonly (T | undefined)[]): readonly T[] | undefined =>
  items.every((item) => item !== undefined) ? items : undefined;

export const listOf = <T>(item: Shape<T>, what: string, least: 0 | 1 = 1): Shape<readonly T[]> => ({
  read(node, reader) {
    if (node.kind !== 'list') return reader.wrong(node, `${what}, as a list`);
    if (node.items.length < least) return reader.wrong(node, `${what}, at least one`);
    return allRead(node.items.map((one) => item.read(one, reader)));
  },
  schema: { type: 'array', items: item.schema, ...(least > 0 && { minItems: least }) },
});

/** The form of a name. */
export const nameForm = /^[A-Za-z_]\w*$/;

/** The entries of a mapping, each by the shape of its key, if all of them could be read. */
function readEntries<T>(
  node: YamlNode,
  what: string,
  shapeOf: (entry: YamlEntry) => Shape<T> | undefined,
  reader: Reader,
): readonly Entry<T>[] | undefined {
  if (node.kind !== 'map') return reader.wrong(node, `${what}, as a mapping`);
  return allRead(
    node.entries.map((entry) => {
      const value = shapeOf(entry)?.read(entry.value, reader);
      return value === undefined
        ? undefined
        : { key: entry.key, at: reader.location(entry.keyPlace), value };
    }),
  );
}

/** A mapping with keys that its author chooses. */
export const mapOf = <T>(
  shape: Shape<T>,
  what: string,
  form = nameForm,
  formInWords = 'a name of letters, digits and underscores',
): Shape<readonly Entry<T>[]> => ({
  read: (node, reader) =>
    readEntries(
      node,
      what,
      ({ key, keyPlace }) => {
        if (!form.test(key)) {
          reader.add(keyPlace, `found the name ${JSON.stringify(key)}`, { expected: formInWords });
        }
        return shape;
      },
      reader,
    ),
  schema: {
    type: 'object',
    patternProperties: { [form.source]: shape.schema },
    additionalProperties: false,
  },
});

/** A mapping whose keys are some of these names. `unknown` reports another key. */
export const namedOf = <const Name extends string, T>(
  what: string,
  names: readonly Name[],
  shapeOf: (name: Name) => Shape<T>,
  unknown = ({ key, keyPlace }: YamlEntry, reader: Reader) =>
    reader.unknownKey(key, keyPlace, what, names),
): Shape<readonly (Entry<T> & { readonly key: Name })[]> => ({
  read(node, reader) {
    const shapeOfEntry = (entry: YamlEntry): Shape<T> | undefined => {
      const name = names.find((one) => one === entry.key);
      return name === undefined ? unknown(entry, reader) : shapeOf(name);
    };
    const read = readEntries(node, what, shapeOfEntry, reader);
    return read as readonly (Entry<T> & { readonly key: Name })[] | undefined;
  },
  schema: {
    type: 'object',
    properties: Object.fromEntries(names.map((name) => [name, shapeOf(name).schema])),
    additionalProperties: false,
  },
});

export type Fields = Readonly<Record<string, Shape<unknown>>>;
type Read<F, R extends keyof F> = { readonly [K in R]: ReadBy<F[K]> } & {
  readonly [K in Exclude<keyof F, R>]?: ReadBy<F[K]>;
} & Omit<{ readonly at: SourceLocation }, keyof F>;

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
        if (!field) reader.unknownKey(key, keyPlace, what, Object.keys(fields));
        const read = field?.read(value, reader);
        if (read !== undefined) found[key] = read;
      }
      const known = Object.keys(fields);
      for (const key of required) {
        // The unknown key that is a slip of this one has been reported.
        const isThere = (one: YamlEntry): boolean =>
          one.key === key || (!known.includes(one.key) && didYouMean(one.key, known) === key);
        if (!entries.some(isThere)) reader.add(at, `${what} lacks ${JSON.stringify(key)}`);
      }
      return { at, ...found } as unknown as Read<F, never>;
    },
    readEntries(entries, at, reader) {
      const before = reader.found.length;
      const found = shape.readSome(entries, at, reader);
      const isSound = reader.found.length === before;
      return isSound ? (found as unknown as Read<F, R>) : undefined;
    },
    read(node, reader) {
      if (node.kind !== 'map') return reader.wrong(node, `${what}, as a mapping`);
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

/** Turns what a shape reads into something else, or reports why it is wrong all the same. */
export const mapShape = <A, B>(
  shape: Shape<A>,
  turn: (read: A, reader: Reader, node: YamlNode) => B | undefined,
): Shape<B> => ({
  read(node, reader) {
    const read = shape.read(node, reader);
    return read === undefined ? undefined : turn(read, reader, node);
  },
  schema: shape.schema,
});

/** Adds the location. */
export const located = <T>(shape: Shape<T>): Shape<At<T>> =>
  mapShape(shape, (value, reader, { place }) => ({ value, at: reader.location(place) }));

/** Removes the location of a scalar. */
export const bare = <T>(shape: Shape<At<T>>): Shape<T> => mapShape(shape, ({ value }) => value);

/**
 * A choice between mappings of one key each, such as the sources of a secret, which is never in the file itself.
 * @param what the thing that is chosen a source of: `a key`
 */
export function oneSource<F extends Fields>(
  what: string,
  forms: string,
  sources: F,
): Shape<At<ReadBy<F[keyof F]>>> {
  const choice = record(`${what} source`, sources);
  const schemas = Object.entries(sources).map(
    ([key, source]) => record('', { [key]: source }, [key]).schema,
  );
  return {
    read(node, reader) {
      if (node.kind !== 'map') {
        return reader.wrong(node, forms, `${what} itself does not belong in a file`);
      }
      const read = choice.read(node, reader);
      if (node.entries.length !== 1) {
        return reader.add(node.place, `${what} source names exactly one way`, { expected: forms });
      }
      const [entry] = Object.entries(read ?? {}).filter(([key]) => key !== 'at');
      return entry && { value: entry[1] as ReadBy<F[keyof F]>, at: reader.location(node.place) };
    },
    schema: schemas.length === 1 ? (schemas[0] ?? {}) : { anyOf: schemas },
  };
}

/** For shapes that contain themselves: the schema refers to a definition by its name. */
export const lazyShape = <T>(definition: string, shape: () => Shape<T>): Shape<T> => ({
  read: (node, reader) => shape().read(node, reader),
  schema: { $ref: `#/definitions/${definition}` },
});
