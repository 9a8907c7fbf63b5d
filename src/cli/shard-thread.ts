import { parentPort, workerData } from 'node:worker_threads';
import { checkShard, type Judged, type ShardInputs } from './shard.ts';

/** A thread that checks one shard and says what came of it; then, in a second message, hands its history over. */

/** Nothing of it is measured or shown while it goes on. */
const unwatched = { onStage: () => {}, onProgress: () => {}, date: () => '', wallMs: () => 0 };

const { history, ...judged } = await checkShard(workerData as ShardInputs, unwatched);
parentPort?.postMessage(judged satisfies Omit<Judged, 'history'>);
const pieces = [...(await history)];
parentPort?.postMessage(
  pieces,
  pieces.map(({ buffer }) => buffer),
);
