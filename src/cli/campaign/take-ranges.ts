import { parseSeed } from '../../random/seed.ts';
import type { CampaignSummary, SimulationOptions } from '../../simulation/outcome.ts';
import type { Suite } from '../../simulation/campaign/options.ts';
import type { SeedRange } from '../../simulation/campaign/seed-range.ts';
import { type Campaign, listCampaigns, queueOf, type RangeJob } from './campaigns.ts';
import { type Database, jobSchema } from './database.ts';

/** A range that this worker has taken. */
export interface TakenRange {
  readonly jobId: string;
  readonly campaign: string;
  readonly options: SimulationOptions;
  readonly range: SeedRange;
  readonly leaseMs: number;
}

/** The ranges of one suite, as its workers see them. */
export interface Ranges {
  readonly take: () => Promise<TakenRange | undefined>;
  /** Renews the leases of these ranges. A worker that does not renew within its lease loses its range. */
  readonly renew: (taken: readonly TakenRange[]) => Promise<void>;
  /** Writes the summary of a range and completes its job, both or neither. A replay of the range changes nothing. */
  readonly finish: (taken: TakenRange, summary: CampaignSummary) => Promise<void>;
  /** Lets another worker take it. */
  readonly handBack: (taken: TakenRange, reason: string) => Promise<void>;
  /** Takes back ranges whose lease has expired. */
  readonly reclaim: () => Promise<void>;
  /** True if no range is left: none to take, and none in the hands of a worker that might be gone. */
  readonly areAllDone: () => Promise<boolean>;
  /** Campaigns that wait for workers of another suite. */
  readonly ofOtherSuites: () => Promise<readonly Campaign[]>;
}

export async function openRanges(
  database: Database,
  suite: Suite,
  worker: string,
): Promise<Ranges> {
  const { boss, query, transaction } = database;
  const queue = queueOf(suite);
  await boss.createQueue(queue);
  await boss.maintain();

  async function take(): Promise<TakenRange | undefined> {
    // pg-boss answers "no job" also if its query failed: the error is kept here.
    let failure: { readonly error: unknown } | undefined;
    const db = {
      async executeSql(text: string, values: readonly unknown[]) {
        try {
          return { rows: [...(await query<TakenJob>(text, values))] };
        } catch (error) {
          failure = { error };
          throw error;
        }
      },
    };
    const [job] = await boss.fetch<RangeJob>(queue, { db });
    if (failure) throw failure.error;
    if (!job) return undefined;
    const { campaign, options, first, count } = job.data;
    return {
      jobId: job.id,
      campaign,
      options,
      range: { first: parseSeed(first) ?? 0n, count },
      leaseMs: Number(job.expireInSeconds) * 1_000,
    };
  }

  return {
    take,
    async renew(taken) {
      // pg-boss 10 counts a lease from when the job was taken, and has no call to count it anew.
      await query(
        `UPDATE ${jobSchema}.job SET started_on = now()
         WHERE name = $1 AND id = ANY ($2::uuid[]) AND state = 'active'`,
        [queue, taken.map(({ jobId }) => jobId)],
      );
    },
    finish: ({ jobId, campaign }, summary) =>
      transaction(async (inside) => {
        await inside.query(
          `INSERT INTO assay.range_result (campaign, first, worlds, findings, summary, worker)
           VALUES ($1, $2, $3, $4, $5, $6) ON CONFLICT DO NOTHING`,
          [
            campaign,
            summary.seeds[0]?.first,
            summary.worlds,
            summary.causes.length,
            JSON.stringify(summary),
            worker,
          ],
        );
        await boss.complete(queue, jobId, { worker }, { db: inside.db });
      }),
    handBack: ({ jobId }, reason) => boss.fail(queue, jobId, { worker, reason }),
    reclaim: () => boss.expire(),
    areAllDone: async () => (await boss.getQueueSize(queue, { before: 'completed' })) === 0,
    async ofOtherSuites() {
      const open = (await listCampaigns(database)).filter(
        ({ range, played }) => played < range.count,
      );
      return open.filter((campaign) => queueOf(campaign.suite) !== queue);
    },
  };
}

type TakenJob = { readonly id: string; readonly data: RangeJob };
