import type { RunWorld } from '../../src/simulation/outcome.ts';
import { runWorld as runFake } from './fake-world.ts';

/** Worlds that find nothing, as those of a sound target. */
export const runWorld: RunWorld = async (seed, options) => ({
  ...(await runFake(seed, options)),
  findings: [],
});
