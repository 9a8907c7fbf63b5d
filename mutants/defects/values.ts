/** Field values, and the ways in which a defect writes them differently. */

export type Json = Readonly<Record<string, unknown>>;

/** Value of a field as text; JSON if it is not a string. */
export const text = (value: unknown): string =>
  typeof value === 'string' ? value : JSON.stringify(value);

export const without = (item: Json, ...names: readonly string[]): Json =>
  Object.fromEntries(Object.entries(item).filter(([name]) => !names.includes(name)));

export const momentOf = (written: unknown): number => Date.parse(String(written));

export const written = (moment: number): string => new Date(moment).toISOString();

/** An amount in whole units. */
export const whole = (amount: unknown): string => String(amount).replace(/\.\d+$/, '');

/** A number truncated to at most this number of decimals. */
export const cut = (number: unknown, decimals: number): string =>
  String(number).replace(new RegExp(`(\\.\\d{${decimals}})\\d+$`), '$1');

/** The currencies of a resource, the wrong way round. */
export const swappedCurrencies = ({ source_currency, target_currency }: Json): Json => ({
  source_currency: target_currency,
  target_currency: source_currency,
});

/** Text in the form of a hash, made from an id. */
export const hashLike = (id: unknown): string => String(id).replaceAll('-', '').repeat(2);

/** A moment as text that lacks its milliseconds. */
export const withoutMs = (moment: unknown): string => String(moment).replace(/\.\d+Z$/, 'Z');

/** A moment moved by `ms` milliseconds, as text. */
export const shifted = (moment: unknown, ms: number): string =>
  new Date(Date.parse(String(moment)) + ms).toISOString();

/** A text whose bytes are decoded in pieces: a character that is cut becomes others. */
export const decodedInPieces = (text: string, size: number): string => {
  const bytes = Buffer.from(text);
  const pieces = Array.from({ length: Math.ceil(bytes.length / size) }, (_, at) =>
    bytes.subarray(at * size, (at + 1) * size).toString('utf8'),
  );
  return pieces.join('');
};

export const isObject = (value: unknown): value is Json =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
