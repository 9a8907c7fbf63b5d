import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { SortedKeys } from './sorted-keys.ts';

describe('a list of keys', () => {
  it('agrees with a sorted array, wherever keys come and go', () => {
    const keys = fc.array(fc.nat({ max: 400 }), { maxLength: 200, size: 'max' });
    fc.assert(
      fc.property(keys, fc.nat({ max: 250 }), fc.nat({ max: 30 }), (touched, skip, count) => {
        const list = new SortedKeys();
        const model = new Set<number>();
        for (const key of touched) {
          if (model.has(key)) list.remove(key);
          else list.add(key);
          if (!model.delete(key)) model.add(key);
        }
        const sorted = [...model].sort((one, other) => one - other);
        expect(list.size).toBe(sorted.length);
        expect(list.ascending(skip, count)).toEqual(sorted.slice(skip, skip + count));
        expect(list.descending(skip, count)).toEqual(sorted.toReversed().slice(skip, skip + count));
      }),
    );
  });

  it('keeps its order across chunks that split, empty and vanish', () => {
    const list = new SortedKeys();
    const odd = Array.from({ length: 5000 }, (_, n) => 2 * n + 1);
    for (const key of odd) list.add(key);
    for (const key of odd) list.add(key - 1);
    expect(list.ascending(0, 20_000)).toEqual(Array.from({ length: 10_000 }, (_, n) => n));
    for (let key = 1000; key < 9000; key += 1) list.remove(key);
    expect(list.ascending(998, 4)).toEqual([998, 999, 9000, 9001]);
    expect(list.descending(999, 3)).toEqual([9000, 999, 998]);
    expect(list.size).toBe(2000);
  });

  it('says so when it is asked to remove what it has not', () => {
    const list = new SortedKeys();
    expect(() => list.remove(1)).toThrow('key 1');
    list.add(2);
    expect(() => list.remove(1)).toThrow('key 1');
  });
});
