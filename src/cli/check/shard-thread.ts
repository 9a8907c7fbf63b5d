import { parentPort, workerData } from 'node:worker_threads';
import type { EndedEarly } from '../../results/run-report.ts';
import { silentObserver } from '../../run/run-target.ts';
import { createRunEnd } from '../../suite/engine/run-end.ts';
import type { JudgedRun } from '../report-files.ts';
import { checkShard, heldHistory, type ShardInputs } from './shard.ts';

/** A thread that checks the second shard and posts its result; then, in another message, its history. */

async function checkIt(inputs: ShardInputs): Promise<void> {
  const runEnd = createRunEnd();
  parentPort?.on('message', (how: EndedEarly) => runEnd.end(how));
  // Nothing to wait for: without it the thread would never end by itself.
  parentPort?.unref();
  const { history, ...judged } = await checkShard('second', inputs, silentObserver, runEnd);
  parentPort?.postMessage(judged satisfies Omit<JudgedRun, 'history'>);
  const files = await heldHistory(await history());
  parentPort?.postMessage(
    files,
    files.jsonl.map(({ buffer }) => buffer),
  );
}

// An error ends the thread and reaches the thread that started it as an `error` event.
void checkIt(workerData as ShardInputs);
