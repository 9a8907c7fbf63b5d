import { expect, it } from 'vitest';
import { formatSeed } from '../random/seed.ts';
import { drawPlan } from './draw/draw-plan.ts';
import { playAndJudge, playSeed } from './run-world.ts';

const seeds = Array.from({ length: 24 }, (_, index) => formatSeed(BigInt(100 + index)));

it('a world is the same however often it is run, and finds nothing wrong with the sound reference', async () => {
  for (const seed of seeds) {
    const { outcome } = await playSeed(seed, { depth: 'process' });
    expect({ seed, findings: outcome.findings }).toEqual({ seed, findings: [] });
    const plan = JSON.parse(JSON.stringify(drawPlan(seed)));
    expect((await playAndJudge(plan, { depth: 'process' })).outcome).toEqual(outcome);
  }
});
