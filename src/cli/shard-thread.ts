import { parentPort, workerData } from 'node:worker_threads';
import type { HistoryRecord } from '../history/records.ts';
import type { RunReport } from '../report/index.ts';
import { checkShard, type Judged, type ShardInputs } from './shard.ts';

/** A thread that checks one shard and says what came of it. */

/** Nothing of it is measured or shown while it goes on. */
const unwatched = { onStage: () => {}, onProgress: () => {}, date: () => '', wallMs: () => 0 };

/** As much of a history as its report's findings can be shown with: far less than all of it, mostly nothing. */
function neededBy(report: RunReport, records: readonly HistoryRecord[]): readonly HistoryRecord[] {
  const judges = [...report.checks, ...report.rules];
  const shown = judges.flatMap(({ failures }) => failures.flatMap(({ exchanges }) => exchanges));
  const ids = new Set(shown);
  const drivers = new Set(
    records.flatMap((one) => (one.kind !== 'end' && ids.has(one.id) ? [one.by] : [])),
  );
  return records.filter(({ by }) => drivers.has(by));
}

const { report, history, shown } = await checkShard(workerData as ShardInputs, unwatched);
const outcome: Judged = {
  report,
  history: [...history],
  shown: { records: neededBy(report, shown.records) },
};
parentPort?.postMessage(outcome);
