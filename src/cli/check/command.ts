import type { SeededFlags } from '../flags.ts';
import type { CommandInput } from '../command.ts';
import type { ExitCode } from '../terminal.ts';
import { freeThreads, startThread } from '../threads.ts';
import type { HistoryFiles } from '../../report/index.ts';
import type { JudgedRun } from '../report-files.ts';
import type { SecondShard, ShardInputs } from './shard.ts';

/** Starts the second thread, if there is one, before it loads the code that both need. */
export async function check({ terminal, flags: given }: CommandInput): Promise<ExitCode> {
  const flags = given as SeededFlags;
  const { seed, runId, concurrency, maxWait: maxWaitMs, mutation } = flags;
  const isEmbedded = flags.target === undefined && flags.baseUrl === undefined;
  // A few checks are over before another thread has begun.
  const isSelected = flags.only ?? flags.onlyFailed ?? flags.checks ?? flags.profile ?? flags.shard;
  const isWhole = isEmbedded && isSelected === undefined && !flags.dryRun;
  const inputs: ShardInputs = { seed, runId, concurrency, maxWaitMs, mutation };
  // A second thread sends no events while it runs.
  const isTold = flags.events !== undefined;
  const second = isWhole && !isTold ? startSecondShard(inputs) : undefined;
  try {
    const { checkTarget } = await import('./check-target.ts');
    return await checkTarget(flags, terminal, {
      sharded: isWhole ? { inputs, second } : undefined,
    });
  } finally {
    await second?.end();
  }
}

/** Undefined if there is no free processor. Loads nothing of the suite: the thread does so meanwhile. */
function startSecondShard(inputs: ShardInputs): SecondShard | undefined {
  if (freeThreads('shard-thread') === 0) return undefined;
  const thread = startThread('shard-thread', inputs);
  const outcome = new Promise<JudgedRun>((resolve, reject) => {
    thread.once('error', reject);
    thread.once('message', (judged: Omit<JudgedRun, 'history'>) => {
      const history = new Promise<HistoryFiles>((hand, fail) => {
        thread.once('error', fail);
        thread.once('message', hand);
      });
      history.catch(() => {});
      resolve({
        ...judged,
        history: () => history.then(({ jsonl, page }) => ({ jsonl, page: () => page })),
      });
    });
  });
  // Both are awaited once this thread has done its own part, and may have broken by then.
  outcome.catch(() => {});
  return {
    outcome,
    endEarly: (how) => thread.postMessage(how),
    end: () => thread.terminate(),
  };
}
