import { expect, test } from 'vitest';
import { checks } from '../../conformance/index.ts';
import { runTarget, silentObserver } from '../../src/run/run-target.ts';
import { openEmbedded } from '../../src/target/embedded/embedded.ts';

/** What did not come out well where the clocks of suite and target stand apart, save what is out of scope anyhow. */
async function amiss(aheadMs: number): Promise<readonly string[]> {
  const target = await openEmbedded({ seed: 1n, aheadMs });
  const report = await runTarget(target, { ...silentObserver, checks, seed: 1n });
  await target.close();
  return [...report.checks, ...report.requirements]
    .filter(({ verdict }) => verdict !== 'pass' && verdict !== 'out_of_scope')
    .map(({ id, verdict, reason }) => `${id} ${verdict}: ${reason ?? ''}`);
}

test.each([-45_000, 45_000])(
  'a clock that stands %d ms ahead is neither blamed nor in the way',
  async (aheadMs) => {
    expect(await amiss(aheadMs)).toEqual([]);
  },
  120_000,
);
