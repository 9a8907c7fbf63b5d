import { existsSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';
import type { Scenario } from '../scenario/language/load.ts';
import type { Player } from './play-embedded.ts';
import type { FromThread, ThreadInputs, ToThread } from './play-thread.ts';
import type { Judged } from './play-run.ts';

/** As it is bundled, beside the folder of chunks. Sources that run as they are play on one thread. */
const bundled = new URL('../play-thread.js', import.meta.url);

/** A thread takes as long to begin as a few scenarios take to play. */
const worthOneThread = 12;
const mostThreads = 8;

export interface Threads {
  readonly players: readonly Player[];
  close(): Promise<void>;
}

/** As many players beside this thread as there are processors and enough to do. */
export function playerThreads(scenarios: readonly Scenario[], inputs: ThreadInputs): Threads {
  const useful = Math.floor(scenarios.length / worthOneThread);
  const free = Math.min(availableParallelism() - 1, mostThreads, useful);
  const count = existsSync(fileURLToPath(bundled)) ? Math.max(0, free) : 0;
  if (count > 0) compileLess();
  const workers = Array.from({ length: count }, () => new Worker(bundled, { workerData: inputs }));
  return {
    players: workers.map((worker) => (scenario) => playedBy(worker, scenario)),
    async close() {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

/**
 * Where every processor plays, the compiler's own threads have none: in the V8 of Node 20, which has no quick compiler
 * between the slow two, what is compiled for speed has run three times as much before as by default.
 */
function compileLess(): void {
  if (process.versions.v8.startsWith('11.')) setFlagsFromString('--interrupt-budget=400000');
}

/** The scenario itself holds what cannot be sent: the thread reads it again, and hands back what came of it. */
const playedBy = (worker: Worker, scenario: Scenario): Promise<Judged> =>
  new Promise((resolve, reject) => {
    const onMessage = (said: FromThread): void => {
      worker.off('error', reject);
      if ('broke' in said) return reject(said.broke);
      const { played, ...rest } = said.judged;
      resolve({ ...rest, played: { ...played, scenario } });
    };
    worker.once('error', reject);
    worker.once('message', onMessage);
    worker.postMessage({ id: scenario.id, file: scenario.draft.file } satisfies ToThread);
  });
