import { describe, expect, it } from 'vitest';
import { formatSeed } from '../../src/random/seed.ts';
import { scenarioOnTarget, shrinkOnTarget } from '../../src/run/simulate-target.ts';
import { drawTargetPlan } from '../../src/simulation/draw/target-plan.ts';
import { isPartOf } from '../../src/simulation/outcome.ts';
import { isFault } from '../../src/simulation/plan.ts';
import { options, worldsOn } from './worlds-on.ts';

describe('worlds on a target whose clock is driven', () => {
  it('follow one another without disturbing each other, and find nothing wrong with a sound one', async () => {
    const { worlds } = await worldsOn();
    const struck = new Set<string>();
    for (let seed = 1n; seed <= 10n; seed += 1n) {
      // Opens the target again, as after many worlds. Discovered facts stay known.
      if (seed === 6n) await worlds.release();
      const known = await worlds.known();
      const before = known.history.records.length;
      const { run, outcome } = await worlds.play(drawTargetPlan(formatSeed(seed), known));
      expect(outcome.findings).toEqual([]);
      expect(run.history.records).toHaveLength(known.history.records.length - before);
      // Of what was found once, what no world shows by itself.
      expect(run.context.answers('settlement.steps')).toBe(known.answers.get('settlement.steps'));
      expect(known.answers.get('settlement.steps')).toBeDefined();
      for (const [index, step] of run.plan.steps.entries())
        if (isFault(step) && run.effects[index]?.took) struck.add(step.fault);
    }
    // Of its controls, and of our end of the line.
    expect(struck).toContain('leg reverts');
    expect(struck).toContain('answer lost');
  });

  it('shrink what they find with the target in the loop, and tell it as a scenario', async () => {
    const { worlds, chosen } = await worldsOn('orders-expire-a-second-early');
    const cause = 'order.state.pending-to-expired.not-early';
    for (let seed = 1n; seed <= 5n; seed += 1n) {
      const plan = drawTargetPlan(formatSeed(seed), await worlds.known());
      const { run, outcome } = await worlds.play(plan);
      const finding = outcome.findings.find(({ requirements }) => requirements.includes(cause));
      if (!finding) continue;
      const bounds = { mostRuns: 120, isSpent: () => false };
      const shrunk = await shrinkOnTarget(worlds, { run, finding }, bounds);
      expect(shrunk.isFlaky).toBe(false);
      expect(shrunk.plan.steps.length).toBeLessThanOrEqual(3);
      expect(isPartOf(shrunk.finding, finding)).toBe(true);
      const written = await scenarioOnTarget(worlds, { chosen, ...options }, shrunk);
      const text: unknown = expect.stringContaining(`verifies: [ ${cause} ]`);
      expect(written).toMatchObject({ ok: true, text });
      return;
    }
    expect.unreachable('no world showed it');
  });
});
