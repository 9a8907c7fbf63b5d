import { describe, expect, it } from 'vitest';
import { playOverHttp, playSeedOverHttp } from '../../src/run/http-world.ts';
import { formatSeed } from '../../src/random/seed.ts';
import { runOnCore, worldEnd } from '../../src/simulation/core/run-core.ts';
import { drawPlan } from '../../src/simulation/draw/draw-plan.ts';
import { castNames } from '../../src/spec/requirements/requirement.ts';

const standard: readonly string[] = castNames;

/** Plans for a target file: known parties, and no moment that the start of a run moves. */
const plans = Array.from({ length: 30 }, (_, index) =>
  drawPlan(formatSeed(BigInt(index + 1)), { faults: [], steps: 25 }),
).filter(
  ({ parties, steps }) =>
    parties.every(({ name }) => standard.includes(name)) &&
    steps.every(({ at }) => !('near' in at && ['end of day', 'token expiry'].includes(at.near.of))),
);

describe('the same plan over HTTP and on the core alone', () => {
  it('ends the same: orders with their reasons and quotes, and what everybody holds', async () => {
    expect(plans.length).toBeGreaterThanOrEqual(2);
    for (const plan of plans.slice(0, 2)) {
      const { run, state } = await playOverHttp(plan, { oneAfterAnother: true });
      const parties = new Map(
        Object.entries(run.context.cast).map(([name, { partyId = '' }]) => [name, partyId]),
      );
      const { orders, quotes } = run;
      const { seed } = plan;
      const end = worldEnd(state, { orders, quotes, parties });
      expect({ seed, end }).toEqual({ seed, end: (await runOnCore(plan)).end });
    }
  });

  it('is judged by every rule, which find nothing wrong', async () => {
    const outcome = await playSeedOverHttp(formatSeed(1n), { depth: 'http', steps: 30 });
    expect(outcome.findings).toEqual([]);
    expect(outcome.exchanges).toBeGreaterThan(0);
  });
});
