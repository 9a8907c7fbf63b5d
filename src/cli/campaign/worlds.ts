import type { RunWorld, SimulationOptions } from '../../simulation/outcome.ts';
import { playSeed, type WorldTools } from '../../simulation/run-world.ts';

/** The one place where campaigns meet the worlds that they are made of; tests bundle worlds of their own in its place. */
export const runWorld: RunWorld = async (seed, options) => {
  const tools = await worldTools(options);
  switch (options.depth) {
    case 'process':
      return (await playSeed(seed, options, tools)).outcome;
    case 'core':
      return (await import('../../simulation/core/core-world.ts')).playOnCore(seed, options, tools);
    case 'http':
      return (await import('../../run/http-world.ts')).playSeedOverHttp(seed, options, tools);
  }
};

/** Mutations are many, so they are loaded only where one is asked for. */
export async function worldTools({ mutation }: SimulationOptions): Promise<WorldTools> {
  const hostMs = (): number => performance.now();
  if (mutation === undefined) return { hostMs };
  const { findTamper } = await import('../find-mutation.ts');
  return { hostMs, tamperOf: findTamper };
}
