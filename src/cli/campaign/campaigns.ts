import { formatSeed, parseSeed } from '../../random/seed.ts';
import type { CampaignSummary, SimulationOptions } from '../../simulation/outcome.ts';
import type { Suite } from '../../simulation/campaign/options.ts';
import { piecesOf, type SeedRange } from '../../simulation/campaign/seed-range.ts';
import { type Database, jobSchema } from './database.ts';

export interface Campaign {
  readonly id: string;
  readonly suite: Suite;
  readonly options: SimulationOptions;
  readonly range: SeedRange;
  /** Seeds of one job. */
  readonly chunk: number;
  /** Seconds without a renewal by its worker after which a range goes to another worker. */
  readonly leaseSeconds: number;
}

export interface RangeJob {
  readonly campaign: string;
  readonly options: SimulationOptions;
  readonly first: string;
  readonly count: number;
}

/** Queue of a suite. Each suite has its own, so that a worker never gets ranges of another version or other code. */
export const queueOf = ({ version, digest }: Suite): string =>
  `simulation/${version}/${digest.slice(0, 32)}`;

/** Maximum number of retries of a range: a world that ends its process would be retried for ever. */
const mostRetries = 20;
const batch = 1_000;

interface CampaignRow {
  readonly id: string;
  readonly version: string;
  readonly digest: string;
  readonly options: string;
  readonly first: string;
  readonly worlds: number;
  readonly chunk: number;
  readonly lease_s: number;
}

const campaignOf = (row: CampaignRow): Campaign => ({
  id: row.id,
  suite: { version: row.version, digest: row.digest },
  options: JSON.parse(row.options) as SimulationOptions,
  range: { first: parseSeed(row.first) ?? 0n, count: row.worlds },
  chunk: row.chunk,
  leaseSeconds: row.lease_s,
});

/** Inserts a campaign and all its jobs, or nothing. A second call with the same id changes nothing. */
export async function submitCampaign(
  { boss, transaction }: Database,
  { id, suite, options, range, chunk, leaseSeconds }: Campaign,
): Promise<'submitted' | 'there already'> {
  const queue = queueOf(suite);
  await boss.createQueue(queue);
  return transaction(async ({ query, db }) => {
    const fresh = await query(
      `INSERT INTO assay.campaign (id, version, digest, options, first, worlds, chunk, lease_s)
       VALUES ($1, $2, $3, $4, $5, $6, $7, $8) ON CONFLICT DO NOTHING RETURNING id`,
      [
        id,
        suite.version,
        suite.digest,
        JSON.stringify(options),
        formatSeed(range.first),
        range.count,
        chunk,
        leaseSeconds,
      ],
    );
    if (fresh.length === 0) return 'there already';
    const jobs = Array.from(piecesOf(range, chunk), ({ first, count }) => ({
      name: queue,
      data: { campaign: id, options, first: formatSeed(first), count } satisfies RangeJob,
      retryLimit: mostRetries,
      expireInSeconds: leaseSeconds,
    }));
    for (let done = 0; done < jobs.length; done += batch) {
      await boss.insert(jobs.slice(done, done + batch), { db });
    }
    return 'submitted';
  });
}

export async function findCampaign({ query }: Database, id: string): Promise<Campaign | undefined> {
  const [row] = await query<CampaignRow>('SELECT * FROM assay.campaign WHERE id = $1', [id]);
  return row && campaignOf(row);
}

/** All there are, newest first, each with how many of its worlds were played. */
export async function listCampaigns({
  query,
}: Database): Promise<readonly (Campaign & { readonly played: number })[]> {
  const rows = await query<CampaignRow & { readonly played: string }>(
    `SELECT c.*, (SELECT coalesce(sum(r.worlds), 0) FROM assay.range_result r WHERE r.campaign = c.id) AS played
     FROM assay.campaign c ORDER BY submitted_at DESC, id`,
  );
  return rows.map((row) => ({ ...campaignOf(row), played: Number(row.played) }));
}

export interface CampaignProgress {
  readonly played: number;
  /** Ranges in which something was found. */
  readonly findings: number;
  /** Ranges that may still be played; `inHand` of them are in the hands of a worker. */
  readonly open: number;
  readonly inHand: number;
}

/** One statement, so that a range never counts as both open and played, or as neither. */
export async function progressOf(
  { query }: Database,
  { id, suite }: Campaign,
): Promise<CampaignProgress> {
  const [row] = await query<Readonly<Record<keyof CampaignProgress | 'inhand', string>>>(
    `SELECT
       (SELECT coalesce(sum(worlds), 0) FROM assay.range_result WHERE campaign = $1) AS played,
       (SELECT count(*) FROM assay.range_result WHERE campaign = $1 AND findings > 0) AS findings,
       count(*) AS open,
       count(*) FILTER (WHERE state = 'active') AS inhand
     FROM ${jobSchema}.job
     WHERE name = $2 AND state < 'completed' AND data->>'campaign' = $1`,
    [id, queueOf(suite)],
  );
  return {
    played: Number(row?.played ?? 0),
    findings: Number(row?.findings ?? 0),
    open: Number(row?.open ?? 0),
    inHand: Number(row?.inhand ?? 0),
  };
}

/** Summaries of the ranges played so far, in batches, in the order of their seeds. */
export async function* resultsOf(
  { query }: Database,
  id: string,
): AsyncGenerator<readonly CampaignSummary[]> {
  for (let after = ''; ; ) {
    const rows = await query<{ readonly first: string; readonly summary: string }>(
      'SELECT first, summary FROM assay.range_result WHERE campaign = $1 AND first > $2 ORDER BY first LIMIT 50',
      [id, after],
    );
    const last = rows.at(-1);
    if (!last) return;
    yield rows.map(({ summary }) => JSON.parse(summary) as CampaignSummary);
    after = last.first;
  }
}
