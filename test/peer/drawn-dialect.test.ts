import { expect, test } from 'vitest';
import { drawnDialect } from './drawn-dialect.ts';

test('drawn peers differ in their answers, and are the same for the same seed', () => {
  const drawn = Array.from({ length: 20 }, (_, seed) => drawnDialect(seed));
  expect(JSON.stringify(drawnDialect(3))).toBe(JSON.stringify(drawn[3]));
  for (const field of ['cancelState', 'rounding', 'decimals', 'orphans'] as const)
    expect(new Set(drawn.map((one) => one[field])).size).toBeGreaterThan(1);
});
