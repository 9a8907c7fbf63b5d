import { parentPort, workerData } from 'node:worker_threads';
import { silentObserver } from '../../run/run-target.ts';
import { checkShard, heldHistory, type ShardInputs, type ShardResult } from './shard.ts';

/** A thread that checks the second shard and posts what came of it; then, in another message, its history. */

async function checkIt(inputs: ShardInputs): Promise<void> {
  const { history, ...judged } = await checkShard('second', inputs, silentObserver);
  parentPort?.postMessage(judged satisfies Omit<ShardResult, 'history'>);
  const files = await heldHistory(await history());
  parentPort?.postMessage(
    files,
    files.jsonl.map(({ buffer }) => buffer),
  );
}

// What breaks it breaks the thread, which whoever started it is told of.
void checkIt(workerData as ShardInputs);
