import { expect, test } from 'vitest';
import { coverageOf } from '../../src/combinations/coverage.ts';
import { factors, lives } from './circumstances.ts';

const asTexts = (values: readonly unknown[]): readonly string[] => values.map(String);

test('any two values of different factors meet in an order that settles', () => {
  const domain = {
    factors: Object.fromEntries(
      Object.entries(factors).map(([name, values]) => [name, asTexts(values)]),
    ),
    constraints: [],
  };
  const settling = lives
    .filter(({ ending }) => ending === 'settled')
    .map((life) => ({ ...life.with, makers: String(life.with.makers) }));
  expect(coverageOf(settling, domain, 2).unmet).toEqual([]);
});
