import type { Rule } from '../oracle/index.ts';
import type { SimulationOptions } from '../simulation/outcome.ts';
import type { WorldTools } from '../simulation/run-world.ts';

/**
 * The rules of the suite with those of `--checks`; undefined without these files, so that no command loads the suite
 * needlessly.
 */
export async function rulesWith(
  files: readonly string[] | undefined,
  directory: string,
): Promise<readonly Rule[] | undefined> {
  if (files === undefined) return undefined;
  const { suiteWith } = await import('./own-suite.ts');
  return (await suiteWith(files, directory)).rules;
}

/** Loads mutations, and the suite beside a user's own rules, only if needed: both are large. */
export async function worldTools({ mutation, checks }: SimulationOptions): Promise<WorldTools> {
  const hostMs = (): number => performance.now();
  const rules = await rulesWith(checks, '.');
  if (mutation === undefined) return { hostMs, rules };
  const { findTamper } = await import('./find-mutation.ts');
  return { hostMs, rules, tamperOf: findTamper };
}
