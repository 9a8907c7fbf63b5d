import { expect, test } from 'vitest';
import { runThroughChaos } from '../network/chaos-run.ts';
import { drawnDialect } from './drawn-dialect.ts';

// The whole suite on many of them: `npm run variations`.
test.each([4, 9])(
  'a correct peer of answers drawn by seed %i is accused of nothing',
  async (seed) => {
    const { exit, accusations, report } = await runThroughChaos({
      backend: drawnDialect(seed),
      clock: 'driven',
      share: 0,
      seed,
      only: ['order.life.*', 'order.money.*', 'quote.*', 'order.cancel.*'],
    });
    expect(accusations).toEqual([]);
    expect(exit).not.toBe(1);
    expect(report?.totals.checks.pass).toBeGreaterThan(100);
  },
);
