import { expect, it } from 'vitest';
import { runKills } from './kills/run-kills.ts';

/** So many a journal that two of them are begun. */
const killed = { kills: 16, killsPerJournal: 10 } as const;

it('a served reference that is killed again and again loses and invents nothing', async () => {
  const report = await runKills({ ...killed, seed: 2n });
  expect(report.differences).toEqual([]);
  expect(report.findings).toEqual([]);
  expect(report.kills).toBe(killed.kills);
  expect(report.answered).toBeGreaterThan(100);
});
