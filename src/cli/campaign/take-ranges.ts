import { parseSeed } from '../../random/seed.ts';
import type { CampaignSummary, SimulationOptions } from '../../simulation/outcome.ts';
import type { Suite } from '../../simulation/campaign/options.ts';
import type { SeedRange } from '../../simulation/campaign/seed-range.ts';
import { type Campaign, listCampaigns, queueOf, type RangeJob } from './campaigns.ts';
import { type Database, jobSchema } from './database.ts';

export interface TakenRange {
  readonly jobId: string;
  readonly campaign: string;
  readonly options: SimulationOptions;
  readonly range: SeedRange;
  readonly leaseMs: number;
}

/** The ranges of one suite, as its workers see them. */
export async function openRanges(database: Database, suite: Suite, worker: string) {
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
    /** Renews the leases of these ranges. A worker that does not renew within its lease loses its range. */
    async renew(taken: readonly TakenRange[]): Promise<void> {
      // pg-boss 10 counts a lease from when the job was taken, and has no call to count it anew.
      await query(
        `UPDATE ${jobSchema}.job SET started_on = now()
         WHERE name = $1 AND id = ANY ($2::uuid[]) AND state = 'active'`,
        [queue, taken.map(({ jobId }) => jobId)],
      );
    },
    /** Writes the summary of a range and completes its job, both or neither. A replay of the range changes nothing. */
    finish: ({ jobId, campaign }: TakenRange, summary: CampaignSummary): Promise<void> =>
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
    /** Lets another worker take it. */
    handBack: ({ jobId }: TakenRange, reason: string) =>
      boss.fail(queue, jobId, { worker, reason }),
    /** Takes back ranges whose lease has expired. */
    reclaim: () => boss.expire(),
    /** True if no range is left: none to take, and none in the hands of a worker that might be gone. */
    areAllDone: async () => (await boss.getQueueSize(queue, { before: 'completed' })) === 0,
    /** Campaigns that wait for workers of another suite. */
    ofOtherSuites: async (): Promise<readonly Campaign[]> =>
      (await listCampaigns(database)).filter(
        ({ range, played, suite: one }) => played < range.count && queueOf(one) !== queue,
      ),
  };
}

type TakenJob = { readonly id: string; readonly data: RangeJob };
