import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { amountsAgree, orientationsOf, sourceAmountFor } from './rate-orientation.ts';

/** Positive decimal strings with so many decimals. */
const decimal = (whole: number, scale: number) =>
  fc.bigInt({ min: 1n, max: 10n ** BigInt(whole + scale) }).map((digits) => {
    const text = digits.toString().padStart(scale + 1, '0');
    return scale === 0 ? text : `${text.slice(0, -scale)}.${text.slice(-scale)}`;
  });

const toBig = (text: string, scale: number): bigint => {
  const [whole = '0', fraction = ''] = text.split('.');
  return BigInt(whole + fraction.padEnd(scale, '0'));
};

/** source times rate, cut or rounded up to two decimals. */
const targetOf = (source: string, rate: string, up: bigint): string => {
  const product = toBig(source, 2) * toBig(rate, 6);
  const unit = 1_000_000n;
  const cents = product / unit + (product % unit === 0n ? 0n : up);
  const text = cents.toString().padStart(3, '0');
  return `${text.slice(0, -2)}.${text.slice(-2)}`;
};

describe('amounts and a rate', () => {
  it('agree however the target rounds, in the orientation it uses', () => {
    fc.assert(
      fc.property(decimal(6, 2), decimal(2, 6), fc.constantFrom(0n, 1n), (source, rate, up) => {
        const target = targetOf(source, rate, up);
        expect(amountsAgree(rate, source, target, 'target-per-source')).toBe(true);
        expect(amountsAgree(rate, target, source, 'source-per-target')).toBe(true);
        expect(amountsAgree(rate, source, target)).toBe(true);
      }),
    );
  });

  it('do not agree when one is off by more than its last place', () => {
    expect(amountsAgree('1.1', '909.09', '1000.00')).toBe(true);
    expect(amountsAgree('1.1', '909.10', '1000.00')).toBe(true);
    expect(amountsAgree('1.1', '909.12', '1000.01')).toBe(false);
    expect(amountsAgree('1.1', '1000.03', '909.09')).toBe(false);
    expect(orientationsOf('1', '1000.00', '1000.00')).toEqual([
      'target-per-source',
      'source-per-target',
    ]);
  });

  it('say nothing where one is no decimal string', () => {
    expect(amountsAgree(1.1, '909.09', '1000.00')).toBeUndefined();
    expect(amountsAgree('1.1', '9e2', '1000.00')).toBeUndefined();
  });
});

describe('the source amount for a target amount', () => {
  it('agrees with target amount and rate in the given orientation', () => {
    const orientations = fc.constantFrom(
      'target-per-source' as const,
      'source-per-target' as const,
    );
    fc.assert(
      fc.property(decimal(6, 2), decimal(2, 4), orientations, (target, rate, orientation) => {
        const source = sourceAmountFor(target, rate, orientation);
        expect(amountsAgree(rate, source, target, orientation)).toBe(true);
      }),
    );
  });

  it('is written plainly, and not at all for what is no positive number', () => {
    expect(sourceAmountFor('1000.00', '1.25', 'target-per-source')).toBe('800.00');
    expect(sourceAmountFor('1000.00', '3', 'target-per-source')).toBe('333.33333333');
    expect(sourceAmountFor('0.07', '1.1', 'source-per-target')).toBe('0.077');
    expect(sourceAmountFor('1000.00', '0', 'target-per-source')).toBeUndefined();
    expect(sourceAmountFor('many', '1', 'target-per-source')).toBeUndefined();
  });
});
