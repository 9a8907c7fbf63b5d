import { beforeAll, expect, it } from 'vitest';
import { isBuilt } from '../cli/shipped-command.ts';
import { runKills } from './kills/run-kills.ts';

beforeAll(() => {
  if (!isBuilt) throw new Error('run `npm run build` first');
});

it('a served reference that is killed again and again loses and invents nothing', async () => {
  const report = await runKills({ kills: 40, seed: 2n });
  expect(report.differences).toEqual([]);
  expect(report.findings).toEqual([]);
  expect(report.kills).toBe(40);
  expect(report.answered).toBeGreaterThan(100);
});
