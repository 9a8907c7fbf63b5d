import { formatSeed } from '../../src/random/seed.ts';
import { drawPlan } from '../../src/simulation/draw/draw-plan.ts';
import { runPlan } from '../../src/simulation/run-plan.ts';
import { hashOf } from '../../src/simulation/world-hash.ts';

/** The hash of a world as it is played in this process, which has done other things before. */
export async function hashHere(seed: bigint): Promise<string> {
  const run = await runPlan(drawPlan(formatSeed(seed)));
  return hashOf(run.history.records).hash;
}
