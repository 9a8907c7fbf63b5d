import { submitCampaign } from '../../src/cli/campaign/campaigns.ts';
import { openDatabase } from '../../src/cli/campaign/database.ts';
import { openRanges, type TakenRange } from '../../src/cli/campaign/take-ranges.ts';
import {
  options,
  outcome,
  suite,
  summaryOf as foldOf,
} from '../../src/simulation/campaign/testing.ts';
import type { TestDatabase } from './database.ts';

/** A database with a campaign of two ranges, seen by a worker in this process. */
export async function submitted(database: TestDatabase) {
  const opened = await openDatabase(database.url, 2, (act) => act());
  const range = { first: 1n, count: 10 };
  const campaign = { id: 'small', suite, options, range, chunk: 5, leaseSeconds: 60 };
  await submitCampaign(opened, campaign);
  const ranges = await openRanges(opened, suite, 'a test');
  const summaryOf = ({ range: { first, count } }: TakenRange) =>
    foldOf(
      first,
      Array.from({ length: count }, (_, n) => outcome(first + BigInt(n))),
    );
  return { database, ranges, summaryOf, close: () => opened.close() };
}

export async function campaignRows({ query }: TestDatabase) {
  const results = await query('SELECT first FROM assay.range_result');
  const jobs = await query<{ readonly state: string }>('SELECT state FROM assay_jobs.job');
  return { results: results.length, states: jobs.map(({ state }) => state).toSorted() };
}
