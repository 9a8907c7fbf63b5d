import type { Random } from '../../random/random.ts';

/** Decimals of the currencies that worlds trade in; two for any other. */
const minorUnits: Readonly<Record<string, number>> = {
  JPY: 0,
  KRW: 0,
  VND: 0,
  CLP: 0,
  KWD: 3,
  BHD: 3,
};

const decimalsOf = (currency: string): number => minorUnits[currency] ?? 2;

const written = (units: bigint, decimals: number): string => {
  const text = units.toString().padStart(decimals + 1, '0');
  return decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
};

/** Amounts in minor units of the currency. */
const oddUnits = [1n, 2n, 99n, 101n, 12_345n, 999_999n, 1_000_000_000_000n] as const;

export type Cost = 'ample' | 'exact' | 'tight';

export interface DrawnMoney {
  readonly targetAmount: string;
  readonly maximum: string;
}

/** Draws the amount of an order and its maximum: ample, exact at rate 1, or too small. */
export function drawMoney(
  random: Random,
  currencies: { readonly source: string; readonly target: string },
  odd: boolean,
  wanted?: Cost,
): DrawnMoney {
  const decimals = decimalsOf(currencies.target);
  const one = 10n ** BigInt(decimals);
  const large = 10n ** BigInt(15 + decimals) - 1n;
  const units = odd ? random.pick([...oddUnits, large]) : 1_000n * one;
  // The maximum in the source currency, as if one unit of both currencies had the same value.
  const sourceDecimals = decimalsOf(currencies.source);
  const same = (units * 10n ** BigInt(sourceDecimals)) / one || 1n;
  const drawn = random.pick<Cost>(['ample', 'ample', 'ample', 'exact', 'tight']);
  const cost = wanted ?? drawn;
  const most = { ample: same * 3n, exact: same, tight: same > 1n ? same - 1n : 1n }[cost];
  // An amount may be written with more decimals than it needs.
  const padded = odd && random.chance(0.2) ? (decimals === 0 ? '.0' : '00') : '';
  // A negative amount: no such order is valid.
  const sign = odd && !wanted && random.chance(0.03) ? '-' : '';
  return {
    targetAmount: sign + written(units, decimals) + padded,
    maximum: written(most, sourceDecimals),
  };
}

const usualRates = ['1', '1', '1.0837465', '0.91234567', '1.5', '0.75'] as const;
/** Some of these are long, so that rounding errors show. */
const oddRates = [
  '0.3333333333',
  '1.0000000001',
  '0.9999999999',
  '3',
  '7.1',
  '151.25',
  '0.0066',
] as const;

export const drawRate = (random: Random, odd: boolean): string =>
  random.pick(odd ? oddRates : usualRates);
