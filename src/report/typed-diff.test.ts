import { expect, it } from 'vitest';
import type { Failure } from '../results/run-report.ts';
import { typedDiff } from './typed-diff.ts';

const failure = (more: Partial<Failure>): Failure => ({
  outcome: 'fail',
  message: 'it was wrong',
  exchanges: [],
  ...more,
});

it('shows values as JSON, each with its type', () => {
  const wrong = failure({ deviation: 'wrong value', expected: '100', actual: 100 });
  expect(typedDiff(wrong)).toEqual([
    {
      member: '',
      expected: { text: '"100"', type: 'string' },
      actual: { text: '100', type: 'number' },
    },
  ]);
});

it('leaves words that say what was expected as they are', () => {
  const expected = 'a decimal string';
  const wrong = failure({ expected, must: { words: expected }, actual: null });
  expect(typedDiff(wrong)).toEqual([
    {
      member: '',
      expected: { text: expected, type: undefined },
      actual: { text: 'null', type: 'null' },
    },
  ]);
});

it('shows of two objects the members that differ, in the order of their names', () => {
  const wrong = failure({ expected: { b: 1, a: 1, c: [2] }, actual: { a: '1', b: 1 } });
  expect(typedDiff(wrong)).toEqual([
    {
      member: 'a',
      expected: { text: '1', type: 'number' },
      actual: { text: '"1"', type: 'string' },
    },
    { member: 'c', expected: { text: '[2]', type: 'array' }, actual: undefined },
  ]);
});

it('has nothing to show where a failure has no values', () => {
  expect(typedDiff(failure({}))).toEqual([]);
});
