import { parentPort, workerData } from 'node:worker_threads';
import { checkShard, type ShardResult, type ShardInputs } from './shard.ts';

/** A thread that checks one shard and says what came of it; then, in a second message, hands its history over. */

/** Nothing of it is measured or shown while it goes on. */
const silentObserver = { onStage: () => {}, onProgress: () => {}, date: () => '', wallMs: () => 0 };

const { history, ...judged } = await checkShard(workerData as ShardInputs, silentObserver);
parentPort?.postMessage(judged satisfies Omit<ShardResult, 'history'>);
const pieces = [...(await history)];
parentPort?.postMessage(
  pieces,
  pieces.map(({ buffer }) => buffer),
);
