import { expect, test } from 'vitest';
import { compare, exact, productNear, sameNumber, significantScale } from './exact.ts';
import { sameUpToLastPlace, sameValue } from './same.ts';

test('only decimal strings are numbers', () => {
  for (const text of ['1', '-1', '0.10', '12345678901234567890.123'])
    expect(exact(text)).toBeDefined();
  for (const other of ['', '.5', '1.', '1e3', '0x1F', '+1', ' 1', 1, null, '9'.repeat(201)]) {
    expect(exact(other)).toBeUndefined();
  }
});

test('numbers are compared, not texts', () => {
  expect(sameNumber('1.50', '1.5')).toBe(true);
  expect(sameNumber('0.1', '0.10000000000000000001')).toBe(false);
  expect(sameNumber('1', 'one')).toBeUndefined();
  const [low, high] = [exact('-2.5'), exact('-2.49')];
  expect(low && high && compare(low, high)).toBeLessThan(0);
});

test('zeros at the end are no decimals', () => {
  const scales = ['100.00', '1.50', '1.05', '7'].map((text) => {
    const number = exact(text);
    return number && significantScale(number);
  });
  expect(scales).toEqual([0, 1, 2, 0]);
});

test('a product is near up to a bound, the bound included', () => {
  const near = (...texts: readonly [string, string, string, string]): boolean | undefined => {
    const [a, b, c, bound] = texts.map(exact);
    return a && b && c && bound && productNear(a, b, c, bound);
  };
  expect(near('117.65', '0.85', '100', '0.0085')).toBe(true);
  expect(near('117.66', '0.85', '100', '0.0085')).toBe(false);
  expect(near('2', '3', '6.01', '0.01')).toBe(true);
});

test('values of a field are the same when they mean the same', () => {
  expect(sameValue('fx_rate', '0.850', '0.85')).toBe(true);
  expect(sameValue('created_at', '2026-03-02T09:00:00.000Z', '2026-03-02T09:00:00.000+00:00')).toBe(
    true,
  );
  expect(sameValue('transaction_hash', '0xAB', '0xab')).toBe(true);
  expect(sameValue('memo', 'A', 'a')).toBe(false);
  expect(sameValue('memo', '1.0', '1')).toBe(false);
});

test('one amount may be the other, rounded to the decimals that it shows', () => {
  expect(sameUpToLastPlace('117.65', '117.6470588235')).toBe(true);
  expect(sameUpToLastPlace('117.65', '117.66')).toBe(false);
  expect(sameUpToLastPlace('100', '101.00')).toBe(false);
  expect(sameUpToLastPlace('117.65', '117.6600000001')).toBe(false);
  expect(sameUpToLastPlace('117', '117.65')).toBe(true);
  expect(sameUpToLastPlace('117', '117.65', 2)).toBe(false);
  expect(sameUpToLastPlace('117.6', '117.596', 2)).toBe(true);
});
