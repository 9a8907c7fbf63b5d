import { expect, test } from 'vitest';
import { runThroughChaos } from './chaos-run.ts';

const lives = ['order.cancel.*', 'order.quotes.*', 'access.relation.*'] as const;

test.each(['driven', 'system'] as const)(
  'a target that goes away in the middle of a run (%s clock) is blamed for nothing, and the run says since when',
  async (clock) => {
    const before = Date.now();
    const { exit, report, accusations, records } = await runThroughChaos({
      backend: 'lantern',
      clock,
      share: 0,
      seed: 1,
      only: lives,
      maxWaitMs: 2_000,
      goneAfter: 400,
    });
    expect([exit, accusations]).toEqual([3, []]);
    expect(records.length).toBeGreaterThan(300);
    const { ended_early: ended } = report?.run ?? {};
    expect(ended).toMatchObject({
      reason: 'target_gone',
      detail: expect.stringContaining(`the target has been gone since ${ended?.at}: `),
    });
    expect(Date.parse(ended?.at ?? '')).toBeGreaterThanOrEqual(before);
    expect(report?.outcome).toBe('incomplete');
    expect(report?.totals.requirements.fail).toBe(0);
    expect(report?.totals.requirements.pass).toBeGreaterThan(20);
  },
);
