import { formatSeed } from '../../random/seed.ts';

/** Consecutive seeds: the first one, and their number. */
export interface SeedRange {
  readonly first: bigint;
  readonly count: number;
}

/** The first seed after a range; 2^64 if the range ends with the last seed. */
export const endOf = ({ first, count }: SeedRange): bigint => first + BigInt(count);

const seedsInAll = 1n << 64n;

/** The range of `count` seeds from `first` on; undefined if it would pass the last seed. */
export const seedRange = (first: bigint, count: number): SeedRange | undefined =>
  Number.isSafeInteger(count) && count > 0 && first >= 0n && first + BigInt(count) <= seedsInAll
    ? { first, count }
    : undefined;

/** The range as text: its first and its last seed. */
export const showRange = (range: SeedRange): string =>
  range.count === 1
    ? `seed ${formatSeed(range.first)}`
    : `seeds ${formatSeed(range.first)} to ${formatSeed(endOf(range) - 1n)}`;

/** Splits the range into pieces of `size` seeds, in order; the last may be smaller. */
export function* piecesOf({ first, count }: SeedRange, size: number): Generator<SeedRange> {
  for (let done = 0; done < count; done += size) {
    yield { first: first + BigInt(done), count: Math.min(size, count - done) };
  }
}

/** Ascending by their first seed, for sort. */
export const byFirst = (one: SeedRange, other: SeedRange): number =>
  one.first < other.first ? -1 : one.first > other.first ? 1 : 0;

/** Ranges of the whole that no part covers. The parts lie within the whole, in any order. */
export function missingIn(whole: SeedRange, parts: readonly SeedRange[]): readonly SeedRange[] {
  const missing: SeedRange[] = [];
  let next = whole.first;
  const upTo = (end: bigint): void => {
    if (end > next) missing.push({ first: next, count: Number(end - next) });
  };
  for (const part of parts.toSorted(byFirst)) {
    upTo(part.first);
    next = endOf(part);
  }
  upTo(endOf(whole));
  return missing;
}
