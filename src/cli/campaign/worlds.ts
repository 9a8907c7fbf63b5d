import type { RunWorld, SimulationOptions } from '../../simulation/outcome.ts';
import { playSeed, type WorldTools } from '../../simulation/run-world.ts';

/** The one place where campaigns meet the worlds that they are made of; tests bundle worlds of their own in its place. */
export const runWorld: RunWorld = async (seed, options) =>
  (await playSeed(seed, options, await worldTools(options))).outcome;

/** Mutations are many, so they are loaded only where one is asked for. */
export async function worldTools({ depth, mutation }: SimulationOptions): Promise<WorldTools> {
  if (depth !== 'process') throw new Error(`this build plays no worlds at depth ${depth}`);
  const hostMs = (): number => performance.now();
  if (mutation === undefined) return { hostMs };
  const { findTamper } = await import('../find-mutation.ts');
  return { hostMs, tamperOf: findTamper };
}
