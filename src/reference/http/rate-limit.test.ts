import { describe, expect, it } from 'vitest';
import { rateLimitOf } from './rate-limit.ts';

describe('rateLimitOf', () => {
  it('lets through so many at one moment and says how long the next must wait', () => {
    const limit = rateLimitOf('20-per-second');
    for (let n = 0; n < 20; n += 1) expect(limit?.(5000)).toBe(0);
    expect(limit?.(5000)).toBe(50);
    expect(limit?.(5049)).toBeGreaterThan(0);
    expect(limit?.(5051)).toBe(0);
  });

  it('does not save up beyond one second', () => {
    const limit = rateLimitOf('20-per-second');
    limit?.(0);
    for (let n = 0; n < 20; n += 1) expect(limit?.(3_600_000)).toBe(0);
    expect(limit?.(3_600_000)).toBeGreaterThan(0);
  });

  it('is absent where there is no limit', () => {
    expect(rateLimitOf('none')).toBeUndefined();
  });
});
