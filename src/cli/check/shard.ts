import { checks } from '../../../conformance/index.ts';
import type { Shard } from '../../suite/engine/plan.ts';
import { historyBytes } from '../../history/jsonl.ts';
import { withoutSecrets } from '../../history/mask.ts';
import type { History } from '../../history/records.ts';
import { withRenamedIds } from '../../history/rename-ids.ts';
import { evidenceFor, type RunReport } from '../../report/index.ts';
import type { Tamper } from '../../reference/http/index.ts';
import { openEmbedded } from '../../target/embedded/embedded.ts';
import { type RunInputs, runTarget, type RunObserver } from '../../run/run-target.ts';

/** What it takes to check one shard of the suite on a world of its own, as plain data. */
export interface ShardInputs extends Pick<RunInputs, 'seed' | 'concurrency'> {
  readonly shard: Shard;
  /** A name for its world, where there is another. */
  readonly world?: string;
  readonly maxWaitMs?: number;
  /** The id of one that there is. */
  readonly mutation?: string;
}

/** Whole lines in each piece. */
export type Bytes = Iterable<Uint8Array<ArrayBuffer>>;

/** A report, and the history that it stands on. */
export interface ShardResult {
  readonly report: RunReport;
  /** As it is written, in pieces. That of another thread comes later than the report. */
  readonly history: Bytes | Promise<Bytes>;
  /** What of it the report's findings may be shown with. */
  readonly shown: History;
}

const driverOf = (id: string): string => id.slice(0, id.lastIndexOf('#'));

/** Checks are in one shard only. What else acts has the same ids in every world, and is told apart by the world's name. */
function idsIn(world: string | undefined): (id: string) => string {
  if (world === undefined) return (id) => id;
  const own = new Set<string>(checks.map(({ id }) => id));
  return (id) => (own.has(driverOf(id)) ? id : `${world} ${id}`);
}

function withIds(report: RunReport, idOf: (id: string) => string): RunReport {
  const judges = <T extends RunReport['checks'][number]>(some: readonly T[]): T[] =>
    some.map((one) => ({
      ...one,
      failures: one.failures.map((each) => ({ ...each, exchanges: each.exchanges.map(idOf) })),
    }));
  return { ...report, checks: judges(report.checks), rules: judges(report.rules) };
}

/** Mutations are many, so they are loaded only where one is asked for. */
async function tamperNamed(mutation: string): Promise<Tamper | undefined> {
  const { mutationNamed } = await import('../../../mutants/index.ts');
  return mutationNamed(mutation)?.tamper();
}

/** Checks one shard on the embedded reference. */
export async function checkShard(
  { shard, world, seed, concurrency, maxWaitMs, mutation }: ShardInputs,
  watch: RunObserver,
): Promise<ShardResult> {
  const tamper = mutation === undefined ? undefined : await tamperNamed(mutation);
  const target = await openEmbedded({
    seed,
    ...(world !== undefined && { world }),
    ...(maxWaitMs !== undefined && { maxWaitMs }),
    ...(tamper && { tamper }),
  });
  try {
    const report = await runTarget(target, {
      checks,
      seed,
      shard,
      ...(concurrency !== undefined && { concurrency }),
      ...watch,
    });
    const idOf = idsIn(world);
    const records =
      world === undefined
        ? target.history.records
        : target.history.records.map((record) => withRenamedIds(record, idOf));
    const secrets = target.secrets();
    const named = withIds(report, idOf);
    return {
      report: named,
      history: historyBytes(records, secrets),
      shown: withoutSecrets(evidenceFor(named, { records }), secrets),
    };
  } finally {
    await target.close();
  }
}
