import { isObject } from './json.ts';
import { ownLimits } from './limits.ts';

/** Validates values of a file that a person may have edited, before other code relies on them. */

/** First location in a value with a wrong form, and the expected form. */
interface Misfit {
  readonly place: string;
  readonly what: string;
}
/** Finds what is wrong with a value. `T` is the type of a value with which nothing is wrong. */
export interface Shape<T = unknown> {
  (value: unknown): Misfit | undefined;
  /** Never there: it only holds the type. */
  readonly made?: T;
}
export type MadeBy<S> = S extends Shape<infer T> ? T : never;

/** A shape of a member that may be absent. */
export interface Optional<T = unknown> extends Shape<T> {
  readonly mayBeAbsent: true;
}
export type Members = Readonly<Record<string, Shape>>;
type OptionalIn<M> = { [K in keyof M]: M[K] extends Optional ? K : never }[keyof M];
// Each of these maps keys of `M` itself, so that the comments of members are those of the type.
type Flat<T> = { readonly [K in keyof T]: T[K] };
type Always<M, K extends keyof M> = { readonly [P in K]: MadeBy<M[P]> };
type Sometimes<M, K extends keyof M> = { readonly [P in K]?: MadeBy<M[P]> };
/** The type of an object with these members. */
type Made<M> = Flat<Always<M, Exclude<keyof M, OptionalIn<M>>> & Sometimes<M, OptionalIn<M>>>;
/** The shape of an object with these members. */
export interface ObjectShape<M> extends Shape<Made<M>> {
  readonly members?: M;
}

export const shape =
  <T>(what: string, holds: (value: unknown) => boolean): Shape<T> =>
  (value) =>
    holds(value) ? undefined : { place: '', what };

const isText = (value: unknown): value is string => typeof value === 'string';

/** Largest absolute time value of a Date, in milliseconds. */
const lastMs = 8.64e15;

export const anything: Shape = () => undefined;
export const text = shape<string>('a text', isText);
export const object = shape<Readonly<Record<string, unknown>>>('an object', isObject);
export const yesOrNo = shape<boolean>('true or false', (value) => typeof value === 'boolean');
export const whole = shape<number>('a whole number', Number.isSafeInteger);
export const count = shape<number>(
  'a count',
  (value) => Number.isSafeInteger(value) && Number(value) >= 0,
);
export const time = shape<number>(
  'a time in milliseconds',
  (value) => typeof value === 'number' && Math.abs(value) <= lastMs,
);
export const duration = shape<number>(
  'a duration in milliseconds',
  (value) => typeof value === 'number' && value >= 0 && value <= lastMs,
);
export const seed = shape<string>(
  'a seed, 0x and sixteen digits',
  (value) => isText(value) && /^0x[0-9a-f]{16}$/.test(value),
);
export const oneOf = <const V>(...all: readonly V[]): Shape<V> =>
  shape(`one of ${all.join(', ')}`, (value) => (all as readonly unknown[]).includes(value));
export const optional = <T>(one: Shape<T>): Optional<T> =>
  Object.assign((value: unknown) => (value === undefined ? undefined : one(value)), {
    mayBeAbsent: true as const,
  });

/** Like `optional`, for a member that code also sets to `undefined`. */
export const maybe = <T>(one: Shape<T>): Optional<T | undefined> => optional(one);

const within = (name: string, { place, what }: Misfit): Misfit => ({
  place: `${name}${place === '' || place.startsWith('[') ? '' : '.'}${place}`,
  what,
});

function firstMisfit(
  places: Iterable<readonly [name: string, one: Shape, value: unknown]>,
): Misfit | undefined {
  for (const [name, one, value] of places) {
    const misfit = one(value);
    if (misfit) return within(name, misfit);
  }
  return undefined;
}

export const listOf =
  <T>(item: Shape<T>): Shape<readonly T[]> =>
  (value) =>
    Array.isArray(value)
      ? firstMisfit(value.map((each, index) => [`[${index}]`, item, each]))
      : { place: '', what: 'a list' };
export const texts = listOf(text);

/** An object with any member names. */
export const valuesOf =
  <T>(each: Shape<T>): Shape<Readonly<Record<string, T>>> =>
  (value) =>
    object(value) ??
    firstMisfit(Object.entries(Object(value)).map(([name, one]) => [name, each, one]));

/** An object with these members, and any others. */
export const membersOf = <M extends Members>(members: M): ObjectShape<M> => {
  const entries = Object.entries(members);
  return (value) =>
    object(value) ??
    firstMisfit(
      entries.map(([name, one]) => [name, one, (value as Record<string, unknown>)[name]]),
    );
};

/** An object whose member `name` decides which other members it has. */
export const byMember = <N extends string, A extends Readonly<Record<string, Members>>>(
  name: N,
  all: A,
): Shape<
  { [K in keyof A & string]: Flat<{ readonly [M in N]: K } & Made<A[K]>> }[keyof A & string]
> => {
  const shapes = new Map(Object.entries(all).map(([of, members]) => [of, membersOf(members)]));
  const named = membersOf({ [name]: oneOf(...shapes.keys()) });
  return (value) => named(value) ?? shapes.get((value as Record<N, string>)[name])?.(value);
};

/** An object whose members, of these names, all have one shape. */
export const allOf = <T, N extends string>(
  one: Shape<T>,
  ...names: readonly N[]
): Shape<Readonly<Record<N, T>>> =>
  membersOf(Object.fromEntries(names.map((name) => [name, one]))) as unknown as Shape<
    Readonly<Record<N, T>>
  >;

/** First deviation of a value from its shape, in words: `run.seed is not a text`. */
export function misfitIn(one: Shape, value: unknown, place = ''): string | undefined {
  const found = one(value);
  if (!found) return undefined;
  const { place: at, what } = place === '' ? found : within(place, found);
  return `${at === '' ? 'it' : at} is not ${what}`;
}

/** Levels of nesting around a body of a target in a record or a report. */
const levelsAround = 8;
const mostLevels = ownLimits['json.depth'] + levelsAround;

const isDeeperThan = (levels: number, value: unknown): boolean =>
  levels === 0 ||
  (typeof value === 'object' &&
    value !== null &&
    Object.values(value).some((inner) => isDeeperThan(levels - 1, inner)));

/** Reports values that are nested too deep: they would overflow the stack of a recursive walk. */
export const tooDeep = (value: unknown): string | undefined =>
  isDeeperThan(mostLevels, value)
    ? `it is nested more than ${ownLimits['json.depth']} levels deep`
    : undefined;

export type JsonReading<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly problem: string };

type Fields = Readonly<Record<string, unknown>>;

/**
 * Reads a JSON file that Assay wrote. Returns a problem, and does not throw, if it is another or was edited wrongly.
 * @param what the kind of file, as in `a report`
 * @param problemIn the problem of an object that has this format
 * @param upgraded the object as the version of today writes it
 */
export function readJsonFile<T extends { readonly format: string }>(
  written: string,
  what: string,
  format: T['format'],
  problemIn: (value: Fields) => string | undefined,
  upgraded: (value: Fields) => Fields = (value) => value,
): JsonReading<T> {
  const no = (problem: string) => ({ ok: false, problem: `not ${what}: ${problem}` }) as const;
  let found: unknown;
  try {
    found = JSON.parse(written);
  } catch {
    return { ok: false, problem: 'not JSON' };
  }
  if (!isObject(found)) return no('no object');
  if (found['format'] !== format) return no(`"format" is not ${JSON.stringify(format)}`);
  const value = upgraded(found);
  const problem = tooDeep(value) ?? problemIn(value);
  return problem === undefined ? { ok: true, value: value as unknown as T } : no(problem);
}
