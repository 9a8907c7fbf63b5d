import { expect, test } from 'vitest';
import { random } from './random.ts';
import { formatSeed, parseSeed } from './seed.ts';
import { nextWord, type Xoshiro } from './xoshiro.ts';

test('the generator gives the numbers of its authors', () => {
  const state: Xoshiro = [1, 2, 3, 4];
  expect(Array.from({ length: 10 }, () => nextWord(state))).toEqual([
    11520, 0, 5927040, 70819200, 2031721883, 1637235492, 1287239034, 3734860849, 3729100597,
    4258142804,
  ]);
});

test('a seed and a name give the same stream for ever', () => {
  // If this changes, no printed seed replays any more.
  expect(random(42n, 'run').hex(32)).toBe(random('0x2a', 'run').hex(32));
  expect(random(42n, 'run').fork('world').hex(32)).toBe('a8310848ebc6d5d3f7c575669869b56f');
});

test('a fork depends on names alone, not on what was drawn or forked before', () => {
  const fresh = random(7n).fork('a').fork('b').hex(16);
  const used = random(7n);
  used.hex(64);
  used.fork('c');
  const a = used.fork('a');
  a.below(10);
  expect(a.fork('b').hex(16)).toBe(fresh);
});

test('names that join to the same text name different streams', () => {
  const root = random(7n);
  const streams = [root.fork('ab'), root.fork('a').fork('b'), root.fork('b').fork('a'), root];
  expect(new Set(streams.map((stream) => stream.hex(16))).size).toBe(4);
});

test('small numbers are drawn evenly', () => {
  const draws = 60_000;
  const counts = Array.from({ length: 6 }, () => 0);
  const stream = random(1n, 'dice');
  for (let draw = 0; draw < draws; draw += 1) {
    const face = stream.below(6);
    counts[face] = (counts[face] ?? 0) + 1;
  }
  const expected = draws / 6;
  const chiSquare = counts.reduce((sum, seen) => sum + (seen - expected) ** 2 / expected, 0);
  // Five degrees of freedom: more than 20.5 is one in a thousand.
  expect(chiSquare).toBeLessThan(20.5);
});

test('neighbouring seeds and forks share no bits beyond chance', () => {
  const bitsOf = (hex: string): string =>
    Array.from(hex, (digit) => Number.parseInt(digit, 16).toString(2).padStart(4, '0')).join('');
  const apart = (a: string, b: string): number =>
    Array.from(bitsOf(a)).filter((bit, index) => bit !== bitsOf(b)[index]).length;
  for (let seed = 0n; seed < 4n; seed += 1n) {
    const distance = apart(random(seed).hex(256), random(seed + 1n).hex(256));
    expect(Math.abs(distance - 512)).toBeLessThan(100);
  }
});

test('a repeated run makes the same choices, with its own identifiers', () => {
  const run = (id?: string) => random(7n, 'checks', id).fork('a').fork('b');
  const choices = (id?: string) => {
    const stream = run(id);
    const made = [stream.hex(64), stream.uuid(), stream.digits(8)];
    return {
      made,
      chosen: [stream.below(1_000), stream.pick([1, 2, 3]), stream.shuffle([1, 2, 3, 4])],
    };
  };
  const [one, again, other] = [choices('one'), choices('one'), choices('other')];
  expect(again).toEqual(one);
  expect(other.chosen).toEqual(one.chosen);
  for (const [index, made] of one.made.entries()) expect(other.made[index]).not.toBe(made);
  // On the reference, which is new for each run, all is of the seed.
  expect(run().hex(16)).toBe(random(7n, 'checks').fork('a').fork('b').hex(16));
});

test('digits have the given length and no zeros', () => {
  const stream = random(3n);
  for (let index = 0; index < 100; index += 1) expect(stream.digits(7)).toMatch(/^[1-9]{7}$/);
});

test('shuffle keeps every item, pick takes one of them, and bounds are checked', () => {
  const stream = random(3n);
  const items = [1, 2, 3, 4, 5];
  expect(stream.shuffle(items).sort((a, b) => a - b)).toEqual(items);
  expect(items).toContain(stream.pick(items));
  expect(() => stream.pick([])).toThrow(RangeError);
  expect(() => stream.below(0)).toThrow(RangeError);
  expect(stream.below(2 ** 32)).toBeLessThan(2 ** 32);
  expect([stream.chance(0), stream.chance(1)]).toEqual([false, true]);
});

test('identifiers are version 4 UUIDs, each its own', () => {
  const stream = random(3n);
  const ids = Array.from({ length: 100 }, () => stream.uuid());
  expect(new Set(ids).size).toBe(100);
  for (const id of ids) {
    expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
  }
});

test('seeds are read in both ways of writing, and written in one', () => {
  expect(parseSeed('18446744073709551615')).toBe(2n ** 64n - 1n);
  expect(parseSeed('0xFf')).toBe(255n);
  expect(formatSeed(255n)).toBe('0x00000000000000ff');
  expect(parseSeed(formatSeed(2n ** 63n))).toBe(2n ** 63n);
  for (const text of ['', '-1', '1.0', '1e3', '0x', '18446744073709551616', ' 1', 'abc']) {
    expect(parseSeed(text)).toBeUndefined();
  }
  expect(() => random('abc')).toThrow(RangeError);
});
