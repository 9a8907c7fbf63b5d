import { runReference, wrongIn } from './harness.ts';
import type { Mistake } from './mistakes.ts';

interface Shown {
  readonly seed: string;
  readonly requirement: string;
  readonly message: string;
  readonly commands: readonly string[];
}

export const seeds: readonly string[] = Array.from({ length: 12 }, (_, index) => `${index + 1}`);

const broken = (breaks: readonly string[], requirement: string | undefined): boolean =>
  requirement !== undefined && breaks.includes(requirement);

/**
 * What the model says of a mistake under the first seed that shows it, once a rule or the model has named a requirement
 * that the mistake breaks.
 */
export async function shownOf(
  { tamper, breaks, by }: Mistake,
  under: readonly string[] = seeds,
): Promise<Shown | undefined> {
  for (const seed of under) {
    const wrong = wrongIn(await runReference(seed, { tamper: tamper(), only: [by] }));
    const named = wrong.some((one) => 'requirement' in one && broken(breaks, one.requirement));
    const found = wrong.find((one) => one.id === by && 'requirement' in one);
    if (!named || !found || !('requirement' in found)) continue;
    const { commands } = found.actual as Pick<Shown, 'commands'>;
    const { requirement, message } = found;
    return { seed, requirement, message, commands };
  }
  return undefined;
}

/** Whether its sequences let a rule find a mistake that the model leaves to the rules. */
export async function isFoundByRules(
  { tamper, breaks, by }: Mistake,
  under: readonly string[] = seeds,
): Promise<boolean> {
  for (const seed of under) {
    const wrong = wrongIn(await runReference(seed, { tamper: tamper(), only: [by] }));
    if (wrong.some((one) => 'requirement' in one && broken(breaks, one.requirement))) return true;
  }
  return false;
}
