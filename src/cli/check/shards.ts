import { checks } from '../../../conformance/index.ts';
import { mergeReports } from '../../report/index.ts';
import { type SecondShard, shards, type SharedInputs } from './second-shard.ts';
import type { RunObserver } from '../../run/run-target.ts';
import { type Bytes, checkShard, type ShardResult } from './shard.ts';

/**
 * Checks the embedded reference with the whole suite, half of it on either of two worlds: side by side where the second
 * is under way on another thread, else one after the other. What comes of it is the same (decision 13).
 */
export async function checkInShards(
  inputs: SharedInputs,
  secondShard: SecondShard | undefined,
  watch: RunObserver,
): Promise<ShardResult> {
  const started = { at: watch.date(), ms: watch.wallMs() };
  const first = await checkShard({ ...inputs, ...shards.first }, watch);
  // Written while the other one is waited for.
  const history = [...(await first.history)];
  const second = await (secondShard?.outcome ?? checkShard({ ...inputs, ...shards.second }, watch));
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
    history: oneAfterTheOther(history, second.history),
    shown: { records: [...first.shown.records, ...second.shown.records] },
  };
}

function inOrder<T extends { readonly id: string }>(some: readonly T[]): readonly T[] {
  const places = new Map<string, number>(checks.map(({ id }, place) => [id, place]));
  return some.toSorted((one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0));
}

const oneAfterTheOther = async (first: Bytes, second: ShardResult['history']): Promise<Bytes> => [
  ...first,
  ...(await second),
];
