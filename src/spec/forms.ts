import { remembered } from './memoize.ts';

/**
 * Lexical forms of values, from the conventions of part 2.
 * Deliberately as wide as the words allow (upper-case hex, a `0x` before it, `+00:00` for UTC).
 */
export interface Form {
  readonly describes: string;
  /** JSON Schema pattern of the string. */
  readonly pattern: string;
  /** Further check that the pattern cannot express. */
  readonly holds?: (text: string) => boolean;
}

export const forms = {
  uuid: {
    describes: 'a UUID string',
    pattern: '^[0-9a-fA-F]{8}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{4}-[0-9a-fA-F]{12}$',
  },
  party: {
    describes: 'a party identifier, <Name>::<hex>',
    pattern: '^.+::(0x)?[0-9a-fA-F]+$',
  },
  contract: {
    describes: 'a holding contract identifier, <hex>#<index>',
    pattern: '^(0x)?[0-9a-fA-F]+#[0-9]+$',
  },
  hex: {
    describes: 'a string of hexadecimal digits',
    pattern: '^(0x)?[0-9a-fA-F]+$',
  },
  decimal: {
    describes: 'a decimal number carried as a string',
    pattern: '^-?[0-9]+(\\.[0-9]+)?$',
  },
  currency: {
    describes: 'a currency code, as a string',
    pattern: '^\\S+$',
  },
  timestamp: {
    describes: 'an ISO 8601 UTC time with milliseconds',
    pattern: '^[0-9]{4}-[0-9]{2}-[0-9]{2}T[0-9]{2}:[0-9]{2}:[0-9]{2}\\.[0-9]{3}(Z|\\+00:00)$',
    holds: isRealMoment,
  },
  text: { describes: 'a string', pattern: '^[\\s\\S]*$' },
} as const satisfies Record<string, Form>;
export type FormName = keyof typeof forms;

const daysOf = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
const isLeap = (year: number): boolean => year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0);

/** Takes a text that has the pattern. JavaScript would read 30 February as 2 March. */
function isRealMoment(text: string): boolean {
  const number = (from: number, to: number): number => Number(text.slice(from, to));
  const [month, day] = [number(5, 7), number(8, 10)];
  if (day === 0 || day > (daysOf[month - 1] ?? 0)) return false;
  if (month === 2 && day === 29 && !isLeap(number(0, 4))) return false;
  return number(11, 13) < 24 && number(14, 16) < 60 && number(17, 19) < 60;
}

const compiled = new Map<FormName, RegExp>(
  (Object.keys(forms) as FormName[]).map((name) => [name, new RegExp(forms[name].pattern)]),
);

export function hasForm(name: FormName, value: unknown): value is string {
  if (typeof value !== 'string' || !compiled.get(name)?.test(value)) return false;
  const form: Form = forms[name];
  return form.holds?.(value) ?? true;
}

/** The length of a timestamp with `+00:00` at its end; a longer text is no timestamp and is not cached. */
const longestTimestamp = 29;

/** Cached: parsing a date is slow. */
const readTimestamp = remembered((text) =>
  hasForm('timestamp', text) ? Date.parse(text) : undefined,
);

/** Milliseconds since the epoch of a timestamp in the convention's form; undefined for anything else. */
export const parseTimestamp = (value: unknown): number | undefined =>
  typeof value === 'string' && value.length <= longestTimestamp ? readTimestamp(value) : undefined;

const slots = 4096;
const latestMoments = new Float64Array(slots).fill(Number.NaN);
const latestTexts: string[] = Array.from({ length: slots }, () => '');

/**
 * A moment in the convention's form: UTC, three decimals. Recent results are cached: every view of an order repeats the
 * moments of the one before it, and many answers of one millisecond share theirs.
 */
export function formatTimestamp(ms: number): string {
  const slot = ms & (slots - 1);
  if (latestMoments[slot] !== ms) {
    latestTexts[slot] = new Date(ms).toISOString();
    latestMoments[slot] = ms;
  }
  return latestTexts[slot] as string;
}
