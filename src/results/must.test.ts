import { expect, it } from 'vitest';
import { mustText } from './must.ts';

it('lists all expected values in one line', () => {
  expect(mustText({ one_of: ['EXPIRED', 'FAILED'] })).toBe('one of EXPIRED, FAILED');
  expect(mustText({ absent: true })).toBe('absent or null');
  expect(mustText({ answered: '2xx' })).toBe('a success (2xx)');
  expect(mustText({ refused: '4xx' })).toBe('a refusal (4xx)');
  expect(mustText({ at_least: '1', at_most: '3' })).toBe('at least 1 and at most 3');
  expect(mustText({ at_most: 0 })).toBe('at most 0');
  expect(mustText({ words: 'no memo' })).toBe('no memo');
});
