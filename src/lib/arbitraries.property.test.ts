import fc from 'fast-check';
import { expect, test } from 'vitest';
import { parseDecimal } from '../protocol/decimal.ts';
import { amounts, memos, rates, terms, validities } from './arbitraries.ts';

const isPositive = (text: string): boolean => (parseDecimal(text)?.digits ?? 0n) > 0n;

test('amounts and rates are decimal strings above zero', () => {
  fc.assert(fc.property(fc.oneof(amounts(), amounts('JPY'), amounts('KWD'), rates()), isPositive));
});

test('yen have no decimals, dinars three', () => {
  fc.assert(fc.property(amounts('JPY'), (text) => !text.includes('.')));
  fc.assert(fc.property(amounts('KWD'), (text) => /\.\d{3}$/.test(text)));
});

test('terms have a maximum above zero in two currencies', () => {
  fc.assert(
    fc.property(
      terms(),
      ({ source_amount_max: most, source_currency: from, target_currency: to }) =>
        isPositive(most) && from !== to,
    ),
  );
});

test('memos are text, and validities are milliseconds', () => {
  fc.assert(fc.property(memos(), validities(), (memo, ms) => memo !== '' && ms >= 999));
});

test('a failure shrinks to the usual terms', () => {
  const { counterexample } = fc.check(
    fc.property(terms(), () => false),
    { seed: 1 },
  );
  expect(counterexample).toEqual([
    {
      source_currency: 'USD',
      target_currency: 'EUR',
      target_amount: '1000.00',
      source_amount_max: '2000.00',
    },
  ]);
});
