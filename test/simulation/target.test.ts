import { describe, expect, it } from 'vitest';
import { formatSeed } from '../../src/random/seed.ts';
import { drawTargetPlan, possibleFaults } from '../../src/simulation/draw/target-plan.ts';
import { worldsOn } from './worlds-on.ts';

describe('worlds on a target whose clock is driven', () => {
  it('find nothing wrong with a sound one, and have no faults that only the embedded reference offers', async () => {
    const { worlds } = await worldsOn();
    const plan = drawTargetPlan(formatSeed(1n), await worlds.known());
    const { run, outcome } = await worlds.play(plan);
    expect(outcome.findings).toEqual([]);
    expect(run.history.records.length).toBeGreaterThan(20);
    const faults = possibleFaults(await worlds.known());
    expect(faults).toContain('settlement stalls');
    expect(faults).not.toContain('host pauses');
    expect(faults).not.toContain('streams drop');
  });
});
