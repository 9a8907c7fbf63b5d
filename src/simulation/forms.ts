/** What a member of an object must be, and how a message says so. */
export interface Form {
  readonly what: string;
  readonly holds: (value: unknown) => boolean;
}
export type Fields = Readonly<Record<string, unknown>>;
export type Forms = Readonly<Record<string, Form>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === 'string';
const isCount = (value: unknown): value is number =>
  Number.isSafeInteger(value) && Number(value) >= 0;

export const text: Form = { what: 'a text', holds: isText };
export const texts: Form = {
  what: 'a list of texts',
  holds: (value) => Array.isArray(value) && value.every(isText),
};
export const count: Form = { what: 'a count', holds: isCount };
export const counts: Form = {
  what: 'an object of counts',
  holds: (value) => isFields(value) && Object.values(value).every(isCount),
};
export const duration: Form = {
  what: 'a duration in milliseconds',
  holds: (value) => typeof value === 'number' && Number.isFinite(value) && value >= 0,
};
export const seed: Form = {
  what: 'a seed, 0x and sixteen digits',
  holds: (value) => isText(value) && /^0x[0-9a-f]{16}$/.test(value),
};
export const list: Form = { what: 'a list', holds: Array.isArray };
export const oneOf = (...all: readonly unknown[]): Form => ({
  what: `one of ${all.join(', ')}`,
  holds: (value) => all.includes(value),
});
export const optional = ({ what, holds }: Form): Form => ({
  what,
  holds: (value) => value === undefined || holds(value),
});

/** The first member of a value that is not what it must be, with its place; undefined where there is none. */
export function wrongIn(place: string, value: unknown, forms: Forms): string | undefined {
  if (!isFields(value)) return `${place} is no object`;
  const wrong = Object.entries(forms).find(([key, { holds }]) => !holds(value[key]));
  return wrong && `${place === '' ? '' : `${place}.`}${wrong[0]} is not ${wrong[1].what}`;
}

export const wrongAmong = (place: string, values: unknown, forms: Forms): string | undefined =>
  (values as readonly unknown[])
    .map((value, index) => wrongIn(`${place}[${index}]`, value, forms))
    .find((problem) => problem !== undefined);
