import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { referenceAnswers } from '../../spec/gaps/index.ts';
import { Decimal, isAmount, writeAmount } from './money.ts';
import { policyOf } from './policy/index.ts';

/** Numerator over denominator to so many decimals, in whole numbers only. */
function quotient(top: bigint, bottom: bigint, decimals: number, rounding: 'up' | 'half-even') {
  const scaled = top * 10n ** BigInt(decimals);
  const whole = scaled / bottom;
  const rest = scaled % bottom;
  if (rest === 0n) return whole;
  if (rounding === 'up') return whole + 1n;
  if (rest * 2n === bottom) return whole + (whole % 2n);
  return rest * 2n > bottom ? whole + 1n : whole;
}

const scale = 10n ** 10n;
const amount = fc.bigInt({ min: 1n, max: 10n ** 28n - 1n }).map((units) => ({
  units,
  text: `${units / scale}.${(units % scale).toString().padStart(10, '0')}`,
}));
const written = (units: bigint, decimals: number): string => {
  const text = units.toString().padStart(decimals + 1, '0');
  return decimals === 0 ? text : `${text.slice(0, -decimals)}.${text.slice(-decimals)}`;
};

describe('what an amount costs at a rate', () => {
  const cases = [
    ['minor-unit-up', 'up', 2],
    ['minor-unit-half-even', 'half-even', 2],
    ['8-decimals-zeros', 'up', 8],
  ] as const;

  it.each(cases)(
    '%s: exact in both orientations, whatever the digits',
    (format, rounding, places) => {
      const forward = policyOf({ ...referenceAnswers, 'money.format': format }).money;
      const backward = policyOf({
        ...referenceAnswers,
        'money.format': format,
        'quote.rate_orientation': 'source-per-target',
      }).money;
      fc.assert(
        fc.property(amount, amount, (target, rate) => {
          const [t, r] = [new Decimal(target.text), new Decimal(rate.text)];
          expect(forward.write(forward.cost(t, r), 2)).toBe(
            written(quotient(target.units, rate.units, places, rounding), places),
          );
          expect(backward.write(backward.cost(t, r), 2)).toBe(
            written(quotient(target.units * rate.units, scale * scale, places, rounding), places),
          );
        }),
        { numRuns: 300 },
      );
    },
  );

  it('ties go to the even neighbour, or up', () => {
    const write = (text: string, rounding: 'up' | 'half-even') =>
      writeAmount(new Decimal(text), { decimals: 2, rounding, trailingZeros: 'keep' }, 2);
    expect(['0.125', '0.135', '0.1251'].map((text) => write(text, 'half-even'))).toEqual([
      '0.12',
      '0.14',
      '0.13',
    ]);
    expect(['0.121', '0.12'].map((text) => write(text, 'up'))).toEqual(['0.13', '0.12']);
  });

  it('takes the minor unit of its currency, and never an exponent', () => {
    const { money } = policyOf(referenceAnswers);
    expect(money.write(new Decimal('1000000000000000000000000.1'), 0)).toBe(
      '1000000000000000000000001',
    );
    expect(money.write(new Decimal('0.0000001'), 3)).toBe('0.001');
  });
});

describe('bounds of amounts', () => {
  const bounds = { integerDigits: 18, decimals: 10 };
  it.each([
    ['1', true],
    ['999999999999999999.9999999999', true],
    ['0.0000000001', true],
    ['1000000000000000000', false],
    ['0.00000000001', false],
    ['0', false],
    ['0.0', false],
    ['-1', false],
  ])('%s: %s', (text, fits) => expect(isAmount(text, bounds)).toBe(fits));
});
