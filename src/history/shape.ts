import { isObject } from './json.ts';
import { ownLimits } from './limits.ts';

/** Validates values of a file that a person may have edited, before other code relies on them. */

/** First location in a value with a wrong form, and the expected form. */
interface Misfit {
  readonly place: string;
  readonly what: string;
}
export type Shape = (value: unknown) => Misfit | undefined;
export type Members = Readonly<Record<string, Shape>>;

export const shape =
  (what: string, holds: (value: unknown) => boolean): Shape =>
  (value) =>
    holds(value) ? undefined : { place: '', what };

const isText = (value: unknown): value is string => typeof value === 'string';

/** Largest absolute time value of a Date, in milliseconds. */
const lastMs = 8.64e15;

export const anything: Shape = () => undefined;
export const text = shape('a text', isText);
export const object = shape('an object', isObject);
export const yesOrNo = shape('true or false', (value) => typeof value === 'boolean');
export const whole = shape('a whole number', Number.isSafeInteger);
export const count = shape('a count', (value) => Number.isSafeInteger(value) && Number(value) >= 0);
export const time = shape(
  'a time in milliseconds',
  (value) => typeof value === 'number' && Math.abs(value) <= lastMs,
);
export const duration = shape(
  'a duration in milliseconds',
  (value) => typeof value === 'number' && value >= 0 && value <= lastMs,
);
export const seed = shape(
  'a seed, 0x and sixteen digits',
  (value) => isText(value) && /^0x[0-9a-f]{16}$/.test(value),
);
export const oneOf = (...all: readonly unknown[]): Shape =>
  shape(`one of ${all.join(', ')}`, (value) => all.includes(value));
export const optional =
  (one: Shape): Shape =>
  (value) =>
    value === undefined ? undefined : one(value);

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
  (item: Shape): Shape =>
  (value) =>
    Array.isArray(value)
      ? firstMisfit(value.map((each, index) => [`[${index}]`, item, each]))
      : { place: '', what: 'a list' };
export const texts = listOf(text);

/** An object with any member names. */
export const valuesOf =
  (each: Shape): Shape =>
  (value) =>
    object(value) ??
    firstMisfit(Object.entries(Object(value)).map(([name, one]) => [name, each, one]));

/** An object with these members, and any others. */
export const membersOf = (members: Members): Shape => {
  const entries = Object.entries(members);
  return (value) =>
    object(value) ??
    firstMisfit(
      entries.map(([name, one]) => [name, one, (value as Record<string, unknown>)[name]]),
    );
};

/** Like `membersOf`, for a type: the compiler requires all of its members. */
export const every = <T>(members: Readonly<Record<keyof T, Shape>>): Shape => membersOf(members);

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
