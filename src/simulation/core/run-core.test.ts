import { describe, expect, it } from 'vitest';
import type { State } from '../../reference/core/index.ts';
import { formatSeed } from '../../random/seed.ts';
import { drawPlan } from '../draw/draw-plan.ts';
import type { Plan } from '../plan.ts';
import { runPlan } from '../run-plan.ts';
import { coreFaults } from '../play/faults.ts';
import { runOnCore, worldEnd } from './run-core.ts';

/** Plays a plan in process, one step after another; returns the run and its final state. */
async function endInProcess(plan: Plan) {
  let last: State | undefined;
  const run = await runPlan(plan, {
    oneAfterAnother: true,
    observe: ({ world }) => (last = world.state()),
  });
  if (!last) throw new Error('it was never looked at');
  const parties = new Map(
    Object.entries(run.context.cast).map(([name, { partyId = '' }]) => [name, partyId]),
  );
  return { run, end: worldEnd(last, { orders: run.orders, quotes: run.quotes, parties }) };
}

const plans = Array.from({ length: 24 }, (_, index) =>
  drawPlan(formatSeed(BigInt(index + 1)), { faults: coreFaults }),
);

describe('a plan on the core alone', () => {
  it('breaks no invariant, and ends in every way', async () => {
    const runs = await Promise.all(plans.map((plan) => runOnCore(plan)));
    expect(runs.flatMap(({ findings }) => findings)).toEqual([]);
    const ends = runs.flatMap(({ end }) => Object.values(end.orders).map(({ status }) => status));
    expect(new Set(ends)).toEqual(new Set(['SETTLED', 'EXPIRED', 'FAILED']));
  });

  it('ends as in process: the same orders, reasons, quotes and holdings', async () => {
    for (const plan of plans.slice(0, 5)) {
      const { end, run } = await endInProcess(plan);
      const alone = await runOnCore(plan);
      const { seed } = plan;
      expect({ seed, endMs: alone.endMs, end: alone.end }).toEqual({ seed, endMs: run.endMs, end });
    }
  });

  it('finds a defect that only the internal state shows', async () => {
    const keeps = await runOnCore(plans[0] as Plan, {
      tamper: { deadline: (due) => (due.kind === 'order-expiry' ? undefined : due) },
    });
    expect(keeps.findings.map(({ rule }) => rule)).toContain('inside.no-deadline-missed');
  });
});
