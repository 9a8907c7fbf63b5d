import { besides, type Whole } from './aside.ts';
import type { CommandInput } from './command.ts';
import type { JudgeFlags } from './judge-flags.ts';
import { seedOf } from './seed.ts';
import type { ExitCode } from './terminal.ts';

/** Starts the second thread, if there is to be one, before it loads what both need. */
export async function check({ terminal, options }: CommandInput): Promise<ExitCode> {
  const flags = options as JudgeFlags;
  const whole = wholeOf(flags);
  const isEmbedded = flags.target === undefined && flags.baseUrl === undefined;
  // A few checks are over before another thread has begun.
  const isWhole = isEmbedded && !flags.only && !flags.dryRun;
  const aside = isWhole ? besides(whole) : undefined;
  try {
    const { judge } = await import('./judge.ts');
    return await judge(
      { ...flags, seed: whole.seed },
      terminal,
      isWhole ? { whole, aside } : undefined,
    );
  } finally {
    await aside?.end();
  }
}

const wholeOf = ({ seed, concurrency, maxWait, mutation }: JudgeFlags): Whole => ({
  seed: seedOf(seed),
  ...(concurrency !== undefined && { concurrency }),
  ...(maxWait !== undefined && { maxWaitMs: maxWait }),
  ...(mutation !== undefined && { mutation }),
});
