import type { Worker } from 'node:worker_threads';
import type { Scenario } from '../../scenario/language/load.ts';
import type { Player } from '../../run/play-embedded.ts';
import type { FromThread, ThreadInputs, ToThread } from './play-thread.ts';
import type { PlayedScenario } from '../../run/play-run.ts';
import { freeThreads, startThread } from '../threads.ts';

/** A thread takes as long to begin as a few scenarios take to play. */
const worthOneThread = 12;
const mostThreads = 8;

/** Further players, one for each free processor at most, if there are enough scenarios. */
export function playerThreads(scenarios: readonly Scenario[], inputs: ThreadInputs) {
  const useful = Math.floor(scenarios.length / worthOneThread);
  const count = Math.max(0, Math.min(freeThreads('play-thread'), mostThreads, useful));
  const workers = Array.from({ length: count }, () => startThread('play-thread', inputs));
  const players: readonly Player[] = workers.map(
    (worker) => (scenario) => playedBy(worker, scenario),
  );
  return {
    players,
    async close(): Promise<void> {
      await Promise.all(workers.map((worker) => worker.terminate()));
    },
  };
}

/** A scenario cannot be sent to a thread, so the thread reads it again; its result comes back without it. */
const playedBy = (worker: Worker, scenario: Scenario): Promise<PlayedScenario> =>
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
