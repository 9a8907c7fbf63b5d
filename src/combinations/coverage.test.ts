import { expect, test } from 'vitest';
import { combinationsMet, coverageOf, coverageOfMet } from './coverage.ts';
import type { Domain } from './domain.ts';

const domain: Domain = {
  factors: { size: ['small', 'large'], colour: ['red', 'blue'], end: ['won', 'lost'] },
  constraints: [
    { of: ['size', 'end'], holds: ({ size, end }) => !(size === 'large' && end === 'lost') },
  ],
};
const lives = [
  { size: 'small', colour: 'red', end: 'won' },
  { size: 'large', colour: 'red', end: undefined },
];

test('combinations are named by their parts in the order of the alphabet', () => {
  expect(combinationsMet(lives, domain, [2, 3])).toEqual([
    'colour=red & end=won',
    'colour=red & end=won & size=small',
    'colour=red & size=large',
    'colour=red & size=small',
    'end=won & size=small',
  ]);
});

test('coverage counts what can come together, and names what did not', () => {
  expect(coverageOf(lives, domain, 2)).toEqual({
    admissible: 11,
    met: 4,
    unmet: [
      'colour=blue & end=lost',
      'colour=blue & end=won',
      'colour=blue & size=large',
      'colour=blue & size=small',
      'colour=red & end=lost',
      'end=lost & size=small',
      'end=won & size=large',
    ],
  });
});

test('what cannot come together and does all the same counts for nothing', () => {
  const odd = [{ size: 'large', end: 'lost' }];
  expect(coverageOf(odd, domain, 2)).toMatchObject({ met: 0 });
});

test.each([2, 3] as const)('sets of %i met merge into the coverage of all lives', (strength) => {
  const met = new Set(lives.flatMap((life) => combinationsMet([life], domain, [2, 3])));
  expect(coverageOfMet(met, domain, strength)).toEqual(coverageOf(lives, domain, strength));
});
