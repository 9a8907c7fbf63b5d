import type { SimulationOptions } from '../../simulation/outcome.ts';
import type { WorldTools } from '../../simulation/run-world.ts';
import { rulesWith } from '../own-rules.ts';

/** Loads mutations, and the suite beside a user's own rules, only if needed: both are large. */
export async function worldTools({ mutation, checks }: SimulationOptions): Promise<WorldTools> {
  const hostMs = (): number => performance.now();
  const rules = await rulesWith(checks, '.');
  if (mutation === undefined) return { hostMs, rules };
  const { findTamper } = await import('../find-mutation.ts');
  return { hostMs, rules, tamperOf: findTamper };
}
