import { startSecondShard, type SharedInputs } from './second-shard.ts';
import type { CommandInput } from '../command.ts';
import type { CheckFlags } from './flags.ts';
import { seedOf } from '../seed.ts';
import type { ExitCode } from '../terminal.ts';

/** Starts the second thread, if there is to be one, before it loads what both need. */
export async function check({ terminal, options }: CommandInput): Promise<ExitCode> {
  const flags = options as CheckFlags;
  const whole = sharedInputs(flags);
  const isEmbedded = flags.target === undefined && flags.baseUrl === undefined;
  // A few checks are over before another thread has begun.
  const isWhole = isEmbedded && !flags.only && !flags.checks && !flags.dryRun;
  const secondShard = isWhole ? startSecondShard(whole) : undefined;
  try {
    const { checkTarget } = await import('./check-target.ts');
    return await checkTarget(
      { ...flags, seed: whole.seed },
      terminal,
      isWhole ? { whole, secondShard } : undefined,
    );
  } finally {
    await secondShard?.end();
  }
}

const sharedInputs = ({ seed, concurrency, maxWait, mutation }: CheckFlags): SharedInputs => ({
  seed: seedOf(seed),
  ...(concurrency !== undefined && { concurrency }),
  ...(maxWait !== undefined && { maxWaitMs: maxWait }),
  ...(mutation !== undefined && { mutation }),
});
