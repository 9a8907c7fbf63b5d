import { expect, test } from 'vitest';
import { coverageOf } from '../../src/combinations/coverage.ts';
import { coveringArray } from '../../src/combinations/covering-array.ts';
import { drivenLives } from '../../src/combinations/factors.ts';
import { random } from '../../src/random/random.ts';
import { drivenRows } from './rows.ts';

test('each possible pair of values occurs in one life', () => {
  expect(coverageOf(drivenRows, drivenLives, 2).unmet).toEqual([]);
});

test('the table in the source equals the drawn one', () => {
  const options = { strength: 2, random: random('3'), candidates: 100 } as const;
  expect(drivenRows).toEqual(coveringArray(drivenLives, options));
});
