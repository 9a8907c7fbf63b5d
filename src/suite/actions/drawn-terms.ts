import {
  compare,
  type ExactDecimal,
  multiply,
  parseDecimal,
  significantScale,
} from '../../protocol/decimal.ts';
import type { Fields } from '../../protocol/answers.ts';
import type { Orientation } from '../../protocol/rate-orientation.ts';
import type { ActionContext } from './context.ts';

type Random = ActionContext['random'];

/** Currencies and amounts of an order, and the rate at which a quote costs its maximum to the last place. */
export interface OrderTerms {
  readonly fields: Fields;
  readonly rate?: string;
}

const termFields = ['source_currency', 'target_currency', 'target_amount', 'source_amount_max'];

/** True if a body sets no currency and no amount. */
export const leavesTermsOpen = (body: Fields): boolean => !termFields.some((name) => name in body);

/** Pairs with minor units of two, none and three decimals. Most trades use the currencies that every target takes. */
const pairs = [
  ['USD', 'JPY'],
  ['JPY', 'EUR'],
  ['USD', 'KWD'],
  ['KWD', 'EUR'],
] as const;
const usualPair = ['USD', 'EUR'] as const;
const decimalsOf = (currency: string): number => ({ JPY: 0, KWD: 3 })[currency] ?? 2;

/** Rates whose inverse is as short, so that amounts come out exactly in either orientation. */
const invertible: readonly (readonly [rate: string, inverse: string])[] = [
  ['1', '1'],
  ['0.8', '1.25'],
  ['1.25', '0.8'],
  ['1.6', '0.625'],
  ['0.64', '1.5625'],
];

const written = ({ digits, scale }: ExactDecimal): string => {
  const text = digits.toString().padStart(scale + 1, '0');
  return scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`;
};

/** An amount at the edges of the usual range, or between them. In minor units. */
function drawUnits(random: Random, decimals: number): bigint {
  const one = 10 ** decimals;
  const edges = [one, one + 1, 10 * one - 1, 333 * one + Math.floor(one / 3), 1_000 * one];
  return BigInt(random.chance(0.4) ? random.pick(edges) : one + random.below(999 * one));
}

/** Minor units of dinars. */
const mostDecimals = 3;
/** Rounding is open (gap `money.format`). An amount with no more decimals than this is exact everywhere but in yen. */
const leastDecimals = 2;

/** Rounds up to a number of decimals. */
const roundedUp = ({ digits, scale }: ExactDecimal, decimals: number): ExactDecimal => {
  if (scale <= decimals) return { digits, scale };
  const over = 10n ** BigInt(scale - decimals);
  return { digits: (digits + over - 1n) / over, scale: decimals };
};

/**
 * Draws the terms of an order: an amount of up to 1,000 units, and a maximum that is ample, the exact cost at some
 * rate, or one unit above it. An exact cost needs no rounding in the source currency: no way of rounding exceeds it.
 * @param orientation rate orientation of this target; without it the cost is known only at the rate "1"
 */
export function drawTerms(
  random: Random,
  mayBeExact: boolean,
  orientation: string | undefined,
): OrderTerms {
  const [source, target] = random.chance(0.2) ? random.pick(pairs) : usualPair;
  const amount = { digits: drawUnits(random, decimalsOf(target)), scale: decimalsOf(target) };
  const kind = mayBeExact ? random.pick(['ample', 'exact', 'one-above'] as const) : 'ample';
  const [rate, inverse] = orientation === undefined ? ['1', '1'] : random.pick(invertible);
  const factor = orientation === ('target-per-source' satisfies Orientation) ? inverse : rate;
  const exact = multiply(amount, parseDecimal(factor) ?? { digits: 1n, scale: 0 });
  const cost = roundedUp(exact, Math.min(leastDecimals, decimalsOf(source)));
  const fields = {
    source_currency: source,
    target_currency: target,
    target_amount: written(amount),
  };
  if (kind === 'ample' || compare(cost, exact) !== 0) {
    const double = roundedUp({ ...amount, digits: amount.digits * 2n }, decimalsOf(source));
    return { fields: { ...fields, source_amount_max: written(double) } };
  }
  const most = kind === 'exact' ? cost : { ...cost, digits: cost.digits + 1n };
  return { fields: { ...fields, source_amount_max: written(most) }, rate };
}

/**
 * A rate between a half and two if the order has room for both, else '1'. Most amounts then need rounding.
 */
export function drawRate(random: Random, { target_amount, source_amount_max }: Fields): string {
  const [amount, most] = [parseDecimal(target_amount), parseDecimal(source_amount_max)];
  // An amount of more decimals may be cut when it is converted, by us or by the target.
  const isPlain = amount !== undefined && significantScale(amount) <= mostDecimals;
  const hasRoom = isPlain && most && compare({ ...amount, digits: amount.digits * 2n }, most) <= 0;
  const decimals = random.pick([1, 4, 6, 8]);
  const drawn = `1.${random.digits(decimals)}`;
  const below = `0.${5 + random.below(5)}${random.digits(decimals)}`;
  return hasRoom ? random.pick(['1', drawn, below]) : '1';
}
