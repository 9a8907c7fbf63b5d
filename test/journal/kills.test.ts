import { beforeAll, expect, it } from 'vitest';
import { isBuilt } from '../cli/shipped-command.ts';
import { runKills } from './kills/run-kills.ts';

beforeAll(() => {
  if (!isBuilt) throw new Error('run `npm run build` first');
});

// More of them, and journals: kills.long.test.ts.
it('a served reference that is killed twice loses and invents nothing', async () => {
  const report = await runKills({ kills: 2, seed: 1n });
  expect(report.differences).toEqual([]);
  expect(report.findings).toEqual([]);
  expect(report.kills).toBe(2);
  expect(report.answered).toBeGreaterThan(5);
});
