import { remembered } from '../spec/memoize.ts';

/** A decimal number, exactly: `digits` over ten to the `scale`. */
export interface ExactDecimal {
  readonly digits: bigint;
  readonly scale: number;
}

const form = /^-?[0-9]+(?:\.([0-9]+))?$/;
/** Far beyond any amount; a hostile target's million digits are not worth reading. */
const longest = 200;

const readExact = remembered((text): ExactDecimal | undefined => {
  const match = form.exec(text);
  if (!match) return undefined;
  return { digits: BigInt(text.replace('.', '')), scale: match[1]?.length ?? 0 };
});

/** Parses a decimal string; undefined for any other value. */
export const parseDecimal = (value: unknown): ExactDecimal | undefined =>
  typeof value === 'string' && value.length <= longest ? readExact(value) : undefined;

const ten = (power: number): bigint => 10n ** BigInt(power);

/** Negative, zero or positive as `a` is below, equal to or above `b`. */
export function compare(a: ExactDecimal, b: ExactDecimal): number {
  const left = a.digits * ten(b.scale);
  const right = b.digits * ten(a.scale);
  return left < right ? -1 : left > right ? 1 : 0;
}

/** True if two values are the same number; undefined if one of them is not a decimal string. */
export function equalNumbers(a: unknown, b: unknown): boolean | undefined {
  if (a === b && typeof a === 'string') return true;
  const [left, right] = [parseDecimal(a), parseDecimal(b)];
  return left && right && compare(left, right) === 0;
}

export const multiply = (a: ExactDecimal, b: ExactDecimal): ExactDecimal => ({
  digits: a.digits * b.digits,
  scale: a.scale + b.scale,
});

export const subtract = (a: ExactDecimal, b: ExactDecimal): ExactDecimal => ({
  digits: a.digits * ten(b.scale) - b.digits * ten(a.scale),
  scale: a.scale + b.scale,
});

/** `a` divided by `b`, cut to some decimals. `isExact`: nothing was cut off. Both are above zero. */
export function quotient(
  a: ExactDecimal,
  b: ExactDecimal,
  scale: number,
): { readonly cut: ExactDecimal; readonly isExact: boolean } {
  const over = a.digits * ten(b.scale + scale);
  const under = b.digits * ten(a.scale);
  return { cut: { digits: over / under, scale }, isExact: over % under === 0n };
}

/** The decimals that carry information: a computed amount may be padded with zeros (gap `money.format`). */
export function significantScale(value: ExactDecimal): number {
  let { digits, scale } = value;
  while (scale > 0 && digits % 10n === 0n) {
    digits /= 10n;
    scale -= 1;
  }
  return scale;
}

/** True if |a * b - c| is at most `bound`. */
export function isProductWithin(
  a: ExactDecimal,
  b: ExactDecimal,
  c: ExactDecimal,
  bound: ExactDecimal,
): boolean {
  const product = multiply(a, b);
  const scale = Math.max(product.scale, c.scale);
  const gap = product.digits * ten(scale - product.scale) - c.digits * ten(scale - c.scale);
  return compare({ digits: gap < 0n ? -gap : gap, scale }, bound) <= 0;
}
