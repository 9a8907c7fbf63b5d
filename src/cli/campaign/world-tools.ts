import type { SimulationOptions } from '../../simulation/outcome.ts';
import type { WorldTools } from '../../simulation/run-world.ts';

/** Mutations are many, so they are loaded only where one is asked for. */
export async function worldTools({ mutation }: SimulationOptions): Promise<WorldTools> {
  const hostMs = (): number => performance.now();
  if (mutation === undefined) return { hostMs };
  const { findTamper } = await import('../find-mutation.ts');
  return { hostMs, tamperOf: findTamper };
}
