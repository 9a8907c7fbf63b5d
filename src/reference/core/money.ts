import { Decimal as Base } from 'decimal.js';
import { remembered } from '../../spec/memoize.ts';

/**
 * Decimals inside the core. Amounts have at most 18 + 10 digits, so a quotient of two of them differs from every
 * multiple of its last kept place, and from every tie, by far more than eighty digits resolve: rounding is exact.
 */
export const Decimal = Base.clone({ precision: 80, rounding: Base.ROUND_HALF_EVEN });
export type Decimal = Base;

export const zero = new Decimal(0);

/** Parses an amount or a rate. Recent results are cached: each settlement step reads the amounts of the step before. */
export const decimalOf = remembered((text) => new Decimal(text), 1_000);

/** Format of a computed amount: number of decimals, direction of rounding, trailing zeros. */
export interface MoneyFormat {
  /** Decimals to keep; `minor-unit` takes those of the currency. */
  readonly decimals: number | 'minor-unit';
  readonly rounding: 'up' | 'half-even';
  readonly trailingZeros: 'keep' | 'trim';
}

const modes = { up: Base.ROUND_UP, 'half-even': Base.ROUND_HALF_EVEN } as const;

export function writeAmount(amount: Decimal, format: MoneyFormat, minorUnits: number): string {
  const decimals = format.decimals === 'minor-unit' ? minorUnits : format.decimals;
  const mode = modes[format.rounding];
  return format.trailingZeros === 'keep'
    ? amount.toFixed(decimals, mode)
    : amount.toDecimalPlaces(decimals, mode).toFixed();
}

/** True if two amounts are the same number. Compares the texts first: equal amounts are most often written alike. */
export const sameAmount = (one: string, other: string): boolean =>
  one === other || new Decimal(one).eq(other);

/** Lexical bounds of amounts and rates as they are sent; a longer number is refused before it is parsed. */
export interface AmountBounds {
  readonly integerDigits: number;
  readonly decimals: number;
}

/** True if a string in the form of a decimal is positive and within the bounds. */
export function isAmount(text: string, bounds: AmountBounds): boolean {
  const point = text.indexOf('.');
  const digits = point === -1 ? text.length : point;
  return (
    !text.startsWith('-') &&
    digits <= bounds.integerDigits &&
    text.length - digits - 1 <= bounds.decimals &&
    /[1-9]/.test(text)
  );
}
