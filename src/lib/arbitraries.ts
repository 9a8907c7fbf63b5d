import fc from 'fast-check';

/**
 * Generators for fast-check. They draw the values of an order and its quotes that the document leaves to their senders,
 * edge values more often than others. They shrink towards 1000.00 USD to EUR at the rate 1. Amounts and rates are
 * decimal strings.
 */

/** Currencies by their minor units: two decimals, none, three. */
const decimalsOf = { USD: 2, EUR: 2, JPY: 0, KWD: 3 } as const;
type Currency = keyof typeof decimalsOf;

const inUnits = (minor: bigint, decimals: number): string => {
  const digits = minor.toString().padStart(decimals + 1, '0');
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`;
};

/** In minor units: from one of them to a million whole units. */
function minorAmounts(decimals: number): fc.Arbitrary<bigint> {
  const one = 10n ** BigInt(decimals);
  const edges = [1_000n * one, one, one + 1n, 10n * one - 1n, (1_000n * one) / 3n, 1n];
  return fc.oneof(
    { withCrossShrink: true },
    fc.constantFrom(...edges),
    fc.bigInt({ min: 1n, max: 1_000_000n * one }),
  );
}

/** Amounts with as many decimals as a currency has, as "1000.00". Part 2.2. */
export const amounts = (currency: Currency = 'EUR'): fc.Arbitrary<string> =>
  minorAmounts(decimalsOf[currency]).map((minor) => inUnits(minor, decimalsOf[currency]));

/** Rates of one to ten decimals between 0.0001 and 10000, as "1.0842". Part 2.3. */
export const rates = (): fc.Arbitrary<string> =>
  fc.oneof(
    { withCrossShrink: true },
    fc.constantFrom('1', '1.25', '0.8', '1.0000000001', '0.0001', '9999.9999'),
    fc
      .tuple(fc.integer({ min: 0, max: 9_999 }), fc.stringMatching(/^\d{0,9}[1-9]$/))
      .map(([whole, decimals]) => `${whole}.${decimals}`)
      .filter((rate) => !rate.startsWith('0.0000')),
  );

/** Validity of a quote: milliseconds from its submission. Part 2.3. */
export const validities = (): fc.Arbitrary<number> =>
  fc.oneof(
    { withCrossShrink: true },
    fc.constantFrom(30_000, 60_000, 1_000, 999, 1_001),
    fc.integer({ min: 1_000, max: 600_000 }),
  );

/** Text as people write it, of up to 140 characters: several scripts, marks that are code elsewhere, blanks. Part 2.2. */
export const memos = (): fc.Arbitrary<string> =>
  fc.oneof(
    { withCrossShrink: true },
    fc.constantFrom('invoice 4711', 'null', ' a ', 'a%20b', '<b>&amp;', '支払い \u{1F9FE}', '1e3'),
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 140 }),
  );

export interface Terms {
  readonly source_currency: string;
  readonly target_currency: string;
  readonly target_amount: string;
  readonly source_amount_max: string;
}

/**
 * The terms of an order: two currencies, an amount, and a maximum that is ample, the exact cost at the rate "1", or one
 * minor unit above or below that. Fields of the body of `POST /api/v1/orders` (part 4.2).
 */
export function terms(): fc.Arbitrary<Terms> {
  const pairs = [
    ['USD', 'EUR'],
    ['USD', 'JPY'],
    ['JPY', 'EUR'],
    ['USD', 'KWD'],
  ] as const;
  return fc.constantFrom(...pairs).chain(([source, target]) => {
    const finest = Math.max(decimalsOf[source], decimalsOf[target]);
    return fc
      .tuple(minorAmounts(decimalsOf[target]), fc.constantFrom('ample', 'exact', 'above', 'below'))
      .map(([minor, maximum]) => {
        const cost = minor * 10n ** BigInt(finest - decimalsOf[target]);
        const step = 10n ** BigInt(finest - decimalsOf[source]);
        const most = { ample: 2n * cost, exact: cost, above: cost + step, below: cost - step };
        return {
          source_currency: source,
          target_currency: target,
          target_amount: inUnits(minor, decimalsOf[target]),
          source_amount_max: inUnits(most[maximum] > 0n ? most[maximum] : cost, finest),
        };
      });
  });
}
