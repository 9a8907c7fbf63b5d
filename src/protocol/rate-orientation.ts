import {
  type ExactDecimal,
  parseDecimal,
  multiply,
  isProductWithin,
  significantScale,
} from './decimal.ts';

/** Which way a rate is meant (gap `quote.rate_orientation`). */
export type Orientation = 'target-per-source' | 'source-per-target';
const orientations = ['target-per-source', 'source-per-target'] as const;

/** One unit of the last place that carries information: padding zeros do not (gap `money.format`). */
const lastPlace = (value: ExactDecimal): ExactDecimal => ({
  digits: 1n,
  scale: significantScale(value),
});

/** `from` times `rate` is `to`, where either amount may have been rounded to the last place that it shows. */
function converts(from: ExactDecimal, rate: ExactDecimal, to: ExactDecimal): boolean {
  // A unit in the last place of `from` is worth `rate` units of it on the other side.
  const size = rate.digits < 0n ? { ...rate, digits: -rate.digits } : rate;
  return (
    isProductWithin(from, rate, to, lastPlace(to)) ||
    isProductWithin(from, rate, to, multiply(lastPlace(from), size))
  );
}

/**
 * The orientations in which a rate and two amounts agree, within one unit of the last place of either amount;
 * `undefined` where one of the three is no decimal string. The document fixes neither orientation nor rounding, so
 * only none at all is wrong, or one that other answers of the target rule out.
 */
export function orientationsOf(
  rate: unknown,
  source: unknown,
  target: unknown,
): readonly Orientation[] | undefined {
  const [r, s, t] = [parseDecimal(rate), parseDecimal(source), parseDecimal(target)];
  if (!r || !s || !t) return undefined;
  return orientations.filter((orientation) =>
    orientation === 'target-per-source' ? converts(s, r, t) : converts(t, r, s),
  );
}

/** Whether a rate and two amounts agree in any orientation (or the one given); undefined: one is no decimal string. */
export function amountsAgree(
  rate: unknown,
  source: unknown,
  target: unknown,
  orientation?: string,
): boolean | undefined {
  const found = orientationsOf(rate, source, target);
  return found?.some((one) => orientation === undefined || one === orientation);
}

const longestScale = 8;
const ten = (power: number): bigint => 10n ** BigInt(power);

/** Plain digits, without zeros that only pad beyond two places. */
function plain(digits: bigint, scale: number): string {
  const text = `${digits}`.padStart(scale + 1, '0');
  const [whole, part] = [text.slice(0, text.length - scale), text.slice(text.length - scale)];
  return `${whole}.${part.replace(/0+$/, '').padEnd(2, '0')}`;
}

/**
 * The source amount that comes to a target amount at a rate, to eight decimals at most; `undefined` where one of the
 * two is no positive decimal string.
 */
export function sourceAmountFor(
  target: unknown,
  rate: unknown,
  orientation: Orientation,
): string | undefined {
  const [t, r] = [parseDecimal(target), parseDecimal(rate)];
  if (!t || !r || t.digits <= 0n || r.digits <= 0n) return undefined;
  const [over, under] =
    orientation === 'source-per-target'
      ? [t.digits * r.digits * ten(longestScale), ten(t.scale + r.scale)]
      : [t.digits * ten(longestScale + r.scale), r.digits * ten(t.scale)];
  return plain((2n * over + under) / (2n * under), longestScale);
}
