import { checks } from '../../../conformance/index.ts';
import type { HistoryRecord } from '../../history/records.ts';
import { inWorld } from '../../history/worlds.ts';
import type { MaskedHistory, Secrets } from '../../history/secrets/secrets.ts';
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
import type { Tamper } from '../../reference/http/index.ts';
import { eventLoopTurn } from '../../timeline/event-loop.ts';
import { openEmbedded } from '../../target/embedded/embedded.ts';
import { type RunInputs, runTarget, type RunObserver } from '../../run/run-target.ts';
import type { EndedEarly } from '../../results/run-report.ts';
import type { RunEnd } from '../../suite/engine/run-end.ts';

/** What the whole embedded reference is checked with, as plain data that a thread can be given. */
export interface ShardInputs extends Pick<RunInputs, 'seed' | 'concurrency'> {
  readonly runId?: string | undefined;
  readonly maxWaitMs: number | undefined;
  /** The id of one that there is. */
  readonly mutation: string | undefined;
}

/**
 * The same two on every machine, because the split shows in the history. They take two threads about as long. `world` names
 * the world of the second.
 */
const shards = {
  first: { shard: { of: 19, from: 0, to: 9 }, world: undefined },
  second: { shard: { of: 19, from: 9, to: 19 }, world: 'world 2' },
} as const;

/** The second shard, on a thread that was started for it. */
export interface SecondShard {
  readonly outcome: Promise<ShardResult>;
  /** Ends its run early. */
  endEarly(how: EndedEarly): void;
  end(): Promise<unknown>;
}

/** A report, and the history that it stands on. */
export interface ShardResult {
  readonly report: RunReport;
  /** As it is written, once. That of another thread comes later than the report. */
  readonly history: () => HistoryStream | Promise<HistoryStream>;
  /** What of it the report's findings may be shown with. */
  readonly shown: MaskedHistory;
}

/** All of a history at once, for another thread or until another is there. Whatever else happens is heeded meanwhile. */
export async function heldHistory({ jsonl, page }: HistoryStream): Promise<HistoryFiles> {
  const pieces: HistoryFiles['jsonl'][number][] = [];
  for (const piece of jsonl) {
    pieces.push(piece.slice());
    await eventLoopTurn();
  }
  return { jsonl: pieces, page: await page() };
}

/** A check is in one shard only. Whoever else acts has the same ids in every world: the world's name keeps them apart. */
function idsIn(world: string, records: readonly HistoryRecord[]): (id: string) => string {
  const own = new Set<string>(checks.map(({ id }) => id));
  const shared = new Set(
    records.flatMap((record) => (record.kind === 'end' || own.has(record.by) ? [] : [record.id])),
  );
  return (id) => (shared.has(id) ? `${world} ${id}` : id);
}

/** Checks one shard on the embedded reference, in a world of its own. */
export async function checkShard(
  which: keyof typeof shards,
  { seed, runId, concurrency, maxWaitMs, mutation }: ShardInputs,
  observer: RunObserver,
  runEnd: RunEnd,
): Promise<ShardResult> {
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

/** Mutations are many, so they are loaded only where one is asked for. */
export const tamperOf = async (mutation: string | undefined): Promise<Tamper | undefined> =>
  mutation === undefined ? undefined : (await import('../find-mutation.ts')).findTamper(mutation);

export function resultOf(
  report: RunReport,
  records: readonly HistoryRecord[],
  secrets: Secrets,
): ShardResult {
  // What comes until it is written, as the streams are closed, was not judged: an audit would find more than the run.
  const judged = [...records];
  return {
    report,
    history: () => historyStream(judged, report, secrets),
    shown: secrets.maskHistory(evidenceFor(report, { records })),
  };
}

/**
 * Checks the embedded reference with the whole suite, half of it on either of two worlds: side by side where the second
 * is under way on another thread, else one after the other. The result is the same (decision 13).
 */
export async function checkInShards(
  inputs: ShardInputs,
  secondShard: SecondShard | undefined,
  observer: RunObserver,
  runEnd: RunEnd,
): Promise<ShardResult> {
  runEnd.onEnd((how) => secondShard?.endEarly(how));
  const started = { at: observer.date(), ms: observer.wallMs() };
  const first = await checkShard('first', inputs, observer, runEnd);
  // Written while the other one is waited for, and after the verdict where that one is there first.
  const written = Promise.resolve(first.history()).then(heldHistory);
  // It is awaited once the report is there, and may have broken by then.
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
