import fc from 'fast-check';
import { expect, test } from 'vitest';
import { random } from '../random/random.ts';
import { coveringArray } from './covering-array.ts';
import type { Domain, Values, Strength } from './domain.ts';
import { drivenLives, lives } from './factors.ts';

/** Every whole life of a domain, one after the other: slow, and made without what is under test. */
function* all({ factors, constraints }: Domain): Generator<Readonly<Record<string, string>>> {
  const names = Object.keys(factors);
  function* from(place: number, chosen: Record<string, string>): Generator<Record<string, string>> {
    const name = names[place];
    if (name === undefined) {
      if (constraints.every(({ holds }) => holds(chosen))) yield chosen;
      return;
    }
    for (const value of factors[name] ?? []) yield* from(place + 1, { ...chosen, [name]: value });
  }
  yield* from(0, {});
}

function combinations(life: Values, strength: Strength): string[] {
  const parts = Object.entries(life).map(([name, value]) => `${name}=${value}`);
  return parts.flatMap((one, i) =>
    parts
      .slice(i + 1)
      .flatMap((two, j) =>
        strength === 2
          ? [`${one} ${two}`]
          : parts.slice(i + j + 2).map((three) => `${one} ${two} ${three}`),
      ),
  );
}

const names = ['a', 'b', 'c', 'd', 'e'];

/** Small domains, some of whose pairs of values are kept apart. */
const domains: fc.Arbitrary<Domain> = fc
  .record({
    counts: fc.array(fc.integer({ min: 1, max: 4 }), { minLength: 3, maxLength: 5 }),
    apart: fc.array(fc.tuple(fc.nat(4), fc.nat(3), fc.nat(4), fc.nat(3)), { maxLength: 4 }),
  })
  .map(({ counts, apart }) => ({
    factors: Object.fromEntries(
      counts.map((count, at) => [names[at], Array.from({ length: count }, (_, v) => `v${v}`)]),
    ),
    constraints: apart
      .filter(([one, , other]) => one !== other && Math.max(one, other) < counts.length)
      .map(([one, v, other, w]) => {
        const [first = '', second = ''] = [names[one], names[other]];
        return {
          of: [first, second],
          holds: (values: Values) => values[first] !== `v${v}` || values[second] !== `v${w}`,
        };
      }),
  }));

test.each([2, 3] as const)(
  'all combinations of %i values that some life has, and no others, are in the array',
  (strength) => {
    fc.assert(
      fc.property(domains, fc.bigInt({ min: 0n, max: 1_000n }), (domain, seed) => {
        const options = { strength, random: random(seed), candidates: 3 };
        const rows = coveringArray(domain, options);
        const wanted = new Set([...all(domain)].flatMap((life) => combinations(life, strength)));
        expect(new Set(rows.flatMap((life) => combinations(life, strength)))).toEqual(wanted);
        for (const row of rows)
          expect(domain.constraints.every(({ holds }) => holds(row))).toBe(true);
        expect(coveringArray(domain, { ...options, random: random(seed) })).toEqual(rows);
      }),
      { numRuns: 15 },
    );
  },
);

const uniform = (counts: readonly number[]): Domain => ({
  factors: Object.fromEntries(
    counts.map((count, at) => [`f${at}`, Array.from({ length: count }, (_, value) => `v${value}`)]),
  ),
  constraints: [],
});

test.each([
  // The fewest rows that are known: 15, 24 and 9.
  ['nine factors of three values', uniform(Array(9).fill(3)), 18],
  ['nine factors of three and four values', uniform([4, 4, 4, 4, 3, 3, 3, 3, 3]), 25],
  ['four factors of three values', uniform(Array(4).fill(3)), 12],
])('pairs of %s take few rows', (_, domain, most) => {
  expect(coveringArray(domain, { strength: 2, random: random('1') }).length).toBeLessThanOrEqual(
    most,
  );
});

test('the lives of orders have arrays of tens of rows', () => {
  const rowsOf = (domain: Domain): number =>
    coveringArray(domain, { strength: 2, random: random('1'), candidates: 5 }).length;
  expect(rowsOf(drivenLives)).toBeLessThan(40);
  expect(rowsOf(lives)).toBeLessThan(45);
});
