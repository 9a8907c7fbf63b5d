import { describe, expect, it } from 'vitest';
import { lru } from './lru.ts';

describe('lru', () => {
  it('never holds more than its capacity', () => {
    const cache = lru<number>(10);
    for (let n = 0; n < 1000; n += 1) {
      cache.set(`k${n}`, n);
      cache.get(`k${n - 7}`);
      expect(cache.size).toBeLessThanOrEqual(10);
    }
  });

  it('keeps what is used, whatever else comes', () => {
    const cache = lru<number>(10);
    cache.set('mine', 1);
    for (let n = 0; n < 1000; n += 1) {
      cache.set(`k${n}`, n);
      expect(cache.get('mine')).toBe(1);
    }
  });

  it('forgets what is not used', () => {
    const cache = lru<number>(10);
    cache.set('mine', 1);
    for (let n = 0; n < 10; n += 1) cache.set(`k${n}`, n);
    expect(cache.get('mine')).toBeUndefined();
  });

  it('answers with the newest value, and none once it is deleted', () => {
    const cache = lru<number>(4);
    cache.set('a', 1);
    cache.set('b', 1);
    cache.set('c', 1);
    cache.set('a', 2);
    expect(cache.get('a')).toBe(2);
    cache.delete('a');
    expect(cache.get('a')).toBeUndefined();
  });
});
