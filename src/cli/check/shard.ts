import { checks } from '../../../conformance/index.ts';
import type { HistoryRecord } from '../../history/records.ts';
import { inWorld } from '../../history/worlds.ts';
import type { Secrets } from '../../history/secrets/secrets.ts';
import {
  evidenceFor,
  type HistoryFiles,
  type HistoryStream,
  historyStream,
  joinBlocks,
  mergeReports,
  type RunReport,
  withEvidenceIds,
} from '../../report/index.ts';
import type { JudgedRun } from '../report-files.ts';
import type { Tamper } from '../../reference/http/index.ts';
import { eventLoopTurn } from '../../timeline/event-loop.ts';
import { openEmbedded } from '../../target/embedded/embedded.ts';
import { type RunInputs, runTarget, type RunObserver } from '../../run/run-target.ts';
import type { EndedEarly } from '../../results/run-report.ts';
import type { RunEnd } from '../../suite/engine/run-end.ts';

/** Inputs of a check of the whole embedded reference, as plain data that can be sent to a thread. */
export interface ShardInputs extends Pick<RunInputs, 'seed' | 'concurrency'> {
  readonly runId?: string | undefined;
  readonly maxWaitMs: number | undefined;
  /** Id of an existing mutation. */
  readonly mutation: string | undefined;
}

/**
 * Two fixed shards, equal on every machine, because the split shows in the history. Two threads take about equally long
 * for them. `world` names the world of the second.
 */
const shards = {
  first: { shard: { of: 19, from: 0, to: 9 }, world: undefined },
  second: { shard: { of: 19, from: 9, to: 19 }, world: 'world 2' },
} as const;

/** The second shard, on a thread that was started for it. */
export interface SecondShard {
  readonly outcome: Promise<JudgedRun>;
  endEarly(how: EndedEarly): void;
  end(): Promise<unknown>;
}

/**
 * Holds a whole history in memory, to send it to another thread or until the other history arrives. Yields to the
 * event loop after each piece.
 */
export async function heldHistory({ jsonl, page }: HistoryStream): Promise<HistoryFiles> {
  const pieces: HistoryFiles['jsonl'][number][] = [];
  for (const piece of jsonl) {
    pieces.push(piece.slice());
    await eventLoopTurn();
  }
  return { jsonl: pieces, page: await page() };
}

/**
 * Names of record ids in a merged history. Records outside of checks have the same ids in every world: these ids get
 * the name of the world. A check needs none, since it is in one shard only.
 */
function idsIn(world: string, records: readonly HistoryRecord[]): (id: string) => string {
  const own = new Set<string>(checks.map(({ id }) => id));
  const shared = new Set(
    records.flatMap((record) => (record.kind === 'end' || own.has(record.by) ? [] : [record.id])),
  );
  return (id) => (shared.has(id) ? `${world} ${id}` : id);
}

/** Checks one shard on the embedded reference, in its own world. */
export async function checkShard(
  which: keyof typeof shards,
  { seed, runId, concurrency, maxWaitMs, mutation }: ShardInputs,
  observer: RunObserver,
  runEnd: RunEnd,
): Promise<JudgedRun> {
  const { shard, world } = shards[which];
  const tamper = await tamperOf(mutation);
  const target = await openEmbedded({ seed, runId, world, maxWaitMs, tamper });
  try {
    const inputs = { checks, seed, shard, concurrency, runEnd, ...observer };
    const report = await runTarget(target, inputs);
    const { records } = target.history;
    if (world === undefined) return resultOf(report, records, target.secrets);
    const idOf = idsIn(world, records);
    const renamed = records.map((record) => inWorld(record, world, idOf));
    return resultOf(withEvidenceIds(report, idOf), renamed, target.secrets);
  } finally {
    await target.close();
  }
}

/** Loads the mutations only if one is asked for: they are many. */
export const tamperOf = async (mutation: string | undefined): Promise<Tamper | undefined> =>
  mutation === undefined ? undefined : (await import('../find-mutation.ts')).findTamper(mutation);

export function resultOf(
  report: RunReport,
  records: readonly HistoryRecord[],
  secrets: Secrets,
): JudgedRun {
  // Records that arrive later, as the streams close, were not judged: with them an audit would find more than the run.
  const judged = [...records];
  return {
    report,
    history: () => historyStream(judged, report, secrets),
    shown: secrets.maskHistory(evidenceFor(report, { records })),
  };
}

/**
 * Checks the embedded reference with the whole suite, half of it in each of two worlds: in parallel if the second runs
 * on another thread, else one after the other. The result is the same (decision 13).
 */
export async function checkInShards(
  inputs: ShardInputs,
  secondShard: SecondShard | undefined,
  observer: RunObserver,
  runEnd: RunEnd,
): Promise<JudgedRun> {
  runEnd.onEnd((how) => secondShard?.endEarly(how));
  const started = { at: observer.date(), ms: observer.wallMs() };
  const first = await checkShard('first', inputs, observer, runEnd);
  // Converted while the other shard runs; after the verdict if the other one is ready first.
  const written = Promise.resolve(first.history()).then(heldHistory);
  // It is awaited only after the report, and may have failed by then.
  written.catch(() => {});
  const second = secondShard
    ? await secondShard.outcome
    : await written.then(() => checkShard('second', inputs, observer, runEnd));
  const merged = mergeReports([first.report, second.report]);
  if (!merged.ok) throw new Error(merged.problem);
  const run = {
    ...merged.report.run,
    started_at: started.at,
    finished_at: observer.date(),
    wall_ms: Math.round(observer.wallMs() - started.ms),
  };
  const places = new Map<string, number>(checks.map(({ id }, place) => [id, place]));
  const inOrder = merged.report.checks.toSorted(
    (one, other) => (places.get(one.id) ?? 0) - (places.get(other.id) ?? 0),
  );
  return {
    report: { ...merged.report, run, checks: inOrder },
    history: async () => {
      const [own, other] = [await written, await heldHistory(await second.history())];
      return {
        jsonl: [...own.jsonl, ...other.jsonl],
        page: () => joinBlocks([own.page, other.page]),
      };
    },
    shown: { masked: true, records: [...first.shown.records, ...second.shown.records] },
  };
}
