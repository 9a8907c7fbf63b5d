import { checks } from '../../conformance/index.ts';
import { mergeReports } from '../report/index.ts';
import type { RunInputs } from './run-target.ts';
import { checkShard, type Judged, type ShardInputs } from './shard.ts';
import { freeThreads, startThread } from './threads.ts';

/** As many on every machine: how a run is split shows in its history. */
const shards = 2;

type Whole = Omit<ShardInputs, 'shard'>;

/**
 * Checks the embedded reference with the whole suite, half of it on either of two worlds: side by side where there is
 * a processor to spare, else one after the other. What comes of it is the same (decision 13).
 */
export async function checkInShards(
  inputs: Whole,
  watch: Pick<RunInputs, 'onStage' | 'onProgress' | 'date' | 'wallMs'>,
): Promise<Judged> {
  const started = { at: watch.date(), ms: watch.wallMs() };
  const aside = freeThreads('shard-thread') > 0 ? beside(shardOf(inputs, 2)) : undefined;
  try {
    const first = await checkShard(shardOf(inputs, 1), watch);
    const second = await (aside?.outcome ?? checkShard(shardOf(inputs, 2), watch));
    const merged = mergeReports([first.report, second.report]);
    if (!merged.ok) throw new Error(merged.problem);
    const run = {
      ...merged.report.run,
      started_at: started.at,
      finished_at: watch.date(),
      wall_ms: Math.round(watch.wallMs() - started.ms),
    };
    return {
      report: { ...merged.report, run, checks: inOrder(merged.report.checks) },
      history: oneAfterTheOther([first.history, second.history]),
      shown: { records: [...first.shown.records, ...second.shown.records] },
    };
  } finally {
    await aside?.end();
  }
}

const shardOf = (inputs: Whole, number: number): ShardInputs => ({
  ...inputs,
  shard: { number, of: shards },
});

function beside(inputs: ShardInputs) {
  const thread = startThread('shard-thread', inputs);
  const outcome = new Promise<Judged>((resolve, reject) => {
    thread.once('message', resolve);
    thread.once('error', reject);
  });
  // It is heard once this thread has done its own part, and may have broken by then.
  outcome.catch(() => {});
  return { outcome, end: () => thread.terminate() };
}

function inOrder<T extends { readonly id: string }>(some: readonly T[]): readonly T[] {
  const places = new Map<string, number>(checks.map(({ id }, place) => [id, place]));
  return some.toSorted((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0));
}

function* oneAfterTheOther(texts: readonly Iterable<string>[]): Generator<string> {
  for (const text of texts) yield* text;
}
