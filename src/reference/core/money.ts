import { Decimal as Base } from 'decimal.js';
import { remembered } from '../../spec/memoize.ts';

/**
 * Decimals inside the core. Amounts have at most 18 + 10 digits, so a quotient of two of them differs from every
 * multiple of its last kept place, and from every tie, by far more than eighty digits resolve: rounding is exact.
 */
export const Decimal = Base.clone({ precision: 80, rounding: Base.ROUND_HALF_EVEN });
export type Decimal = Base;

export const zero = new Decimal(0);

/** What an amount or a rate is worth. Those of late are kept: each step of a settlement reads those of the one before. */
export const decimalOf = remembered((text) => new Decimal(text), 1_000);

/** How a computed amount is written: decimals kept, direction of rounding, and whether trailing zeros stay. */
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

/** Whether two amounts are the same number, however they are written. Most often they are written the same. */
export const sameAmount = (one: string, other: string): boolean =>
  one === other || new Decimal(one).eq(other);

/** Lexical bounds of amounts and rates as they are sent; a longer number is refused before it is parsed. */
export interface AmountBounds {
  readonly integerDigits: number;
  readonly decimals: number;
}

/** Whether a string that has the form of a decimal is a positive one within bounds. */
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
