import { discover } from '../../src/discovery/discover.ts';
import { allRules } from '../../src/oracle/index.ts';
import { random } from '../../src/random/random.ts';
import type { Check } from '../../src/suite/engine/check.ts';
import { runChecks } from '../../src/suite/engine/run-checks.ts';
import {
  type EmbeddedOptions,
  type EmbeddedTarget,
  openEmbedded,
} from '../../src/target/embedded/embedded.ts';

export interface How extends Omit<EmbeddedOptions, 'seed'> {
  readonly only?: readonly string[];
  readonly prepare?: ((target: EmbeddedTarget) => Promise<void> | void) | undefined;
}

/** Answers to gaps are found first. */
export const discovered = async (target: EmbeddedTarget): Promise<void> => {
  await discover(target, target.answers, random(1n).fork('discovery'), target.observations);
};

/** The embedded reference, as long as a test uses it. */
export async function withEmbedded<T>(
  options: Partial<EmbeddedOptions>,
  use: (target: EmbeddedTarget) => Promise<T>,
): Promise<T> {
  const target = await openEmbedded({ seed: 1n, ...options });
  try {
    return await use(target);
  } finally {
    await target.close();
  }
}

/** Runs some checks and all rules on the reference: tampered, with other answers, or prepared. */
export const ranOn = (checks: readonly Check[], { only = [], prepare, ...options }: How = {}) =>
  withEmbedded(options, async (target) => {
    await prepare?.(target);
    const run = { target, checks, rules: allRules, options: { random: random('7'), only } };
    const result = await runChecks(run);
    const broken = result.checks.find(({ verdict }) => verdict === 'error');
    if (broken) throw new Error(`${broken.id} itself broke: ${broken.reason}`);
    const failed = result.requirements.filter(({ verdict }) => verdict === 'fail');
    return { ...result, failed: failed.map(({ id }): string => id) };
  });
