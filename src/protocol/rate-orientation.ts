import {
  type ExactDecimal,
  isProductWithin,
  multiply,
  parseDecimal,
  quotient,
  significantScale,
} from './decimal.ts';

/** Rate orientation (gap `quote.rate_orientation`): `target-per-source` is target = source * rate. */
export type Orientation = 'target-per-source' | 'source-per-target';
export const orientations = ['target-per-source', 'source-per-target'] as const;

export type Side = 'source' | 'target';

/** A rate and the two amounts that it converts into each other. */
export interface Trade {
  readonly rate: ExactDecimal;
  readonly amounts: Readonly<Record<Side, ExactDecimal>>;
}

/** The side whose amount is multiplied by the rate, and the side of the product. */
const directionOf = (orientation: Orientation): readonly [from: Side, to: Side] =>
  orientation === 'target-per-source' ? ['source', 'target'] : ['target', 'source'];

/**
 * True if the amounts of a trade agree in an orientation, within one unit of the rounded amount. Without division: s =
 * t / r up to u means s * r = t up to u * r.
 * @param units one unit of the last place, for the sides that may have been rounded
 */
export function isWithinUnit(
  { rate, amounts }: Trade,
  orientation: Orientation,
  units: { readonly [side in Side]?: ExactDecimal },
): boolean {
  const [from, to] = directionOf(orientation);
  const size = rate.digits < 0n ? { ...rate, digits: -rate.digits } : rate;
  const bounds = [units[to], units[from] && multiply(units[from], size)];
  return bounds.some(
    (bound) => bound !== undefined && isProductWithin(amounts[from], rate, amounts[to], bound),
  );
}

/** Resolution of a rounding: parts per unit. */
export const roundingParts = 1_024;

/**
 * Rounding error of the amount on one side in an orientation, in units of a decimal place: above zero if it was rounded
 * up. Counted in `roundingParts`, truncated; undefined if nothing needed rounding.
 */
export function roundingOf(
  { rate, amounts }: Trade,
  side: Side,
  orientation: Orientation,
  scale: number,
): number | undefined {
  const [from, to] = directionOf(orientation);
  const isProduct = to === side;
  const given = amounts[isProduct ? from : to];
  const [over, under] = isProduct
    ? [multiply(given, rate), { digits: 1n, scale: 0 }]
    : [given, rate];
  // shown - over / under, in units: (shown * under - over) / under * 10 ** scale.
  const shown = multiply(amounts[side], under);
  const places = Math.max(shown.scale, over.scale);
  const by = (value: ExactDecimal): bigint => value.digits * 10n ** BigInt(places - value.scale);
  const off = by(shown) - by(over);
  if (off === 0n) return undefined;
  const parts =
    (off * BigInt(roundingParts) * 10n ** BigInt(scale + under.scale)) /
    (under.digits * 10n ** BigInt(places));
  return Number(parts);
}

/** One unit of the last place that carries information: padding zeros do not (gap `money.format`). */
const lastPlace = (value: ExactDecimal): ExactDecimal => ({
  digits: 1n,
  scale: significantScale(value),
});

/**
 * Orientations in which a rate and two amounts agree, within one unit of the last place of either amount; `undefined`
 * if one of the three is not a decimal string. The document fixes neither orientation nor rounding, so only two results
 * are wrong: no orientation at all, or one that other answers of the target rule out.
 */
export function orientationsOf(
  rate: unknown,
  source: unknown,
  target: unknown,
): readonly Orientation[] | undefined {
  const [r, s, t] = [parseDecimal(rate), parseDecimal(source), parseDecimal(target)];
  if (!r || !s || !t) return undefined;
  const trade = { rate: r, amounts: { source: s, target: t } };
  const units = { source: lastPlace(s), target: lastPlace(t) };
  return orientations.filter((orientation) => isWithinUnit(trade, orientation, units));
}

/**
 * True if a rate and two amounts agree in any orientation (or the given one); undefined if one is no decimal string.
 */
export function amountsAgree(
  rate: unknown,
  source: unknown,
  target: unknown,
  orientation?: string,
): boolean | undefined {
  const found = orientationsOf(rate, source, target);
  return found?.some((one) => orientation === undefined || one === orientation);
}

/**
 * Amount on one side of a trade, computed from the rate and the amount on the other side, truncated to `scale`
 * decimals. `isExact`: nothing was cut off. Rates and amounts are above zero.
 */
export function counterAmount(
  side: Side,
  amount: ExactDecimal,
  rate: ExactDecimal,
  orientation: Orientation,
  scale: number,
): { readonly cut: ExactDecimal; readonly isExact: boolean } {
  const multiplied = directionOf(orientation)[1] === side;
  const one = { digits: 1n, scale: 0 };
  return multiplied ? quotient(multiply(amount, rate), one, scale) : quotient(amount, rate, scale);
}

const longestScale = 8;

/**
 * Source amount for a target amount at a rate, rounded to at most eight decimals; `undefined` if one of the two is not
 * a positive decimal string.
 */
export function sourceAmountFor(
  target: unknown,
  rate: unknown,
  orientation: Orientation,
): string | undefined {
  const [t, r] = [parseDecimal(target), parseDecimal(rate)];
  if (!t || !r || t.digits <= 0n || r.digits <= 0n) return undefined;
  // One place more, for rounding half up.
  const { cut } = counterAmount('source', t, r, orientation, longestScale + 1);
  return plain((cut.digits + 5n) / 10n, longestScale);
}

/** Plain digits, without zeros that only pad beyond two places. */
function plain(digits: bigint, scale: number): string {
  const text = `${digits}`.padStart(scale + 1, '0');
  const [whole, part] = [text.slice(0, text.length - scale), text.slice(text.length - scale)];
  return `${whole}.${part.replace(/0+$/, '').padEnd(2, '0')}`;
}
