import type { Bytes, ShardResult, ShardInputs } from './shard.ts';
import { freeThreads, startThread } from '../threads.ts';

/** The second shard, on a thread that was started for it. */
export interface SecondShard {
  readonly outcome: Promise<ShardResult>;
  end(): Promise<unknown>;
}

/** What all shards of one run are checked with. */
export type SharedInputs = Omit<ShardInputs, 'shard' | 'world'>;

/** The same two on every machine: how a run is split shows in its history. The second begins later. */
export const shards = {
  first: { shard: { of: 19, from: 0, to: 10 } },
  second: { shard: { of: 19, from: 10, to: 19 }, world: 'world 2' },
} as const;

/** Undefined where there is no processor to spare. Loads nothing of the suite: the thread does so meanwhile. */
export function startSecondShard(inputs: SharedInputs): SecondShard | undefined {
  if (freeThreads('shard-thread') === 0) return undefined;
  const thread = startThread('shard-thread', { ...inputs, ...shards.second } satisfies ShardInputs);
  const outcome = new Promise<ShardResult>((resolve, reject) => {
    thread.once('error', reject);
    thread.once('message', (judged: Omit<ShardResult, 'history'>) => {
      const history = new Promise<Bytes>((hand, fail) => {
        thread.once('error', fail);
        thread.once('message', hand);
      });
      history.catch(() => {});
      resolve({ ...judged, history });
    });
  });
  // Both are heard once this thread has done its own part, and may have broken by then.
  outcome.catch(() => {});
  return { outcome, end: () => thread.terminate() };
}
