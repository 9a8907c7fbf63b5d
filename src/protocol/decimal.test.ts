import { expect, test } from 'vitest';
import {
  compare,
  parseDecimal,
  isProductWithin,
  equalNumbers,
  significantScale,
} from './decimal.ts';
import { equalUpToRounding, equalValues } from './equality.ts';

test('only decimal strings are numbers', () => {
  for (const text of ['1', '-1', '0.10', '12345678901234567890.123'])
    expect(parseDecimal(text)).toBeDefined();
  for (const other of ['', '.5', '1.', '1e3', '0x1F', '+1', ' 1', 1, null, '9'.repeat(201)]) {
    expect(parseDecimal(other)).toBeUndefined();
  }
});

test('numbers are compared, not texts', () => {
  expect(equalNumbers('1.50', '1.5')).toBe(true);
  expect(equalNumbers('0.1', '0.10000000000000000001')).toBe(false);
  expect(equalNumbers('1', 'one')).toBeUndefined();
  const [low, high] = [parseDecimal('-2.5'), parseDecimal('-2.49')];
  expect(low && high && compare(low, high)).toBeLessThan(0);
});

test('zeros at the end are no decimals', () => {
  const scales = ['100.00', '1.50', '1.05', '7'].map((text) => {
    const number = parseDecimal(text);
    return number && significantScale(number);
  });
  expect(scales).toEqual([0, 1, 2, 0]);
});

test('a product may differ by the bound, inclusive', () => {
  const near = (...texts: readonly [string, string, string, string]): boolean | undefined => {
    const [a, b, c, bound] = texts.map(parseDecimal);
    return a && b && c && bound && isProductWithin(a, b, c, bound);
  };
  expect(near('117.65', '0.85', '100', '0.0085')).toBe(true);
  expect(near('117.66', '0.85', '100', '0.0085')).toBe(false);
  expect(near('2', '3', '6.01', '0.01')).toBe(true);
});

test('values of a field are the same when they mean the same', () => {
  expect(equalValues('fx_rate', '0.850', '0.85')).toBe(true);
  expect(
    equalValues('created_at', '2026-03-02T09:00:00.000Z', '2026-03-02T09:00:00.000+00:00'),
  ).toBe(true);
  expect(equalValues('transaction_hash', '0xAB', '0xab')).toBe(true);
  expect(equalValues('memo', 'A', 'a')).toBe(false);
  expect(equalValues('memo', '1.0', '1')).toBe(false);
});

test('one amount may be the other, rounded to the decimals that it shows', () => {
  expect(equalUpToRounding('117.65', '117.6470588235')).toBe(true);
  expect(equalUpToRounding('117.65', '117.66')).toBe(false);
  expect(equalUpToRounding('100', '101.00')).toBe(false);
  expect(equalUpToRounding('117.65', '117.6600000001')).toBe(false);
  expect(equalUpToRounding('117', '117.65')).toBe(true);
  expect(equalUpToRounding('117', '117.65', 2)).toBe(false);
  expect(equalUpToRounding('117.6', '117.596', 2)).toBe(true);
});
