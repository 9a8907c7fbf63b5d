import type { RunWorld } from '../../simulation/outcome.ts';
import { playSeed } from '../../simulation/run-world.ts';
import { worldTools } from '../own-rules.ts';

/** The only link from campaigns to the worlds that they play. Tests bundle their own worlds in its place. */
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
