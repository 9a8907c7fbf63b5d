import { expect, it } from 'vitest';
import { runKills } from './kills/run-kills.ts';

// More of them, and journals: kills.long.test.ts.
it('a served reference that is killed twice loses and invents nothing', async () => {
  const report = await runKills({ kills: 2, seed: 1n });
  expect(report.differences).toEqual([]);
  expect(report.findings).toEqual([]);
  expect(report.kills).toBe(2);
  expect(report.answered).toBeGreaterThan(5);
});
