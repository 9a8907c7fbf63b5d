import type { RunWorld } from '../../simulation/outcome.ts';
import { playSeed } from '../../simulation/run-world.ts';
import { worldTools } from './world-tools.ts';

/** The one place where campaigns meet the worlds that they are made of; tests bundle worlds of their own in its place. */
export const runWorld: RunWorld = async (seed, options) =>
  (await playSeed(seed, options, await worldTools(options))).outcome;
