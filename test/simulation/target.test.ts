import { afterEach, describe, expect, it } from 'vitest';
import { formatSeed } from '../../src/random/seed.ts';
import { openWorlds, type TargetWorlds } from '../../src/run/target-worlds.ts';
import { drawTargetPlan, possibleFaults } from '../../src/simulation/draw/target-plan.ts';
import { serveReference } from './serve-reference.ts';

const closing: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closing.splice(0).toReversed()) await close();
});

const options = { seed: 1n, hostMs: () => 0 };

async function worldsOn(): Promise<{ readonly worlds: TargetWorlds }> {
  const { chosen, server } = await serveReference();
  closing.push(() => server.close());
  const opened = await openWorlds(chosen, options);
  if (!opened.ok) throw new Error(opened.problems.join('\n'));
  closing.push(() => opened.worlds.release());
  return { worlds: opened.worlds };
}

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
