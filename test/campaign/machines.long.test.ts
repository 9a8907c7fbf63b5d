import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { formatSeed } from '../../src/random/seed.ts';
import { readCampaign } from '../../src/simulation/campaign/read.ts';
import { rangeFold } from '../../src/simulation/campaign/fold.ts';
import type { CampaignSummary, SimulationOptions } from '../../src/simulation/outcome.ts';
import { buildFake, type FakeBuild } from './build-fake.ts';
import { startServer, type TestServer } from './database.ts';
import { ordeal } from './drive.ts';
import { runWorld } from './fake-world.ts';
import { type Ended, start, until } from './processes.ts';
import { testDirectory } from '../support/test-directory.ts';

const work = testDirectory();
let server: TestServer;
let [fake, quiet]: FakeBuild[] = [];
beforeAll(async () => {
  [server, fake, quiet] = await Promise.all([
    startServer(),
    buildFake('fake-world.ts'),
    buildFake('quiet-world.ts'),
  ]);
});
afterAll(async () => {
  await server?.remove();
  fake?.remove();
  quiet?.remove();
});

const words = (line: string): readonly [string, ...string[]] => line.split(' ') as [string];

/** The command on a database that nobody else uses. */
async function onDatabase() {
  const database = await server.create();
  const begin = (command: string, ...words: readonly string[]) =>
    start(fake?.command ?? '', [command, '--queue', database.url, ...words], work);
  const run = (command: string, ...words: readonly string[]): Promise<Ended> =>
    begin(command, ...words).ended;
  const jobs = (campaign: string) =>
    database.query<{ readonly state: string; readonly retry_count: number }>(
      `SELECT state, retry_count FROM assay_jobs.job WHERE data->>'campaign' = $1`,
      [campaign],
    );
  return { database, begin, run, jobs };
}

function summaryIn(folder: string): CampaignSummary {
  const read = readCampaign(readFileSync(join(work, folder, 'simulation.json'), 'utf8'));
  if (!read.ok) throw new Error(read.problem);
  return read.value;
}

/** Summary of the same worlds on one machine, without the times, which differ in each run. */
async function expected(count: number, options: SimulationOptions = { depth: 'process' }) {
  const fold = rangeFold({ version: '', digest: '' }, options, 1n);
  for (let seed = 1n; seed <= BigInt(count); seed += 1n) {
    fold.add(await runWorld(formatSeed(seed), options));
  }
  return comparable(fold.summary());
}

function comparable(summary: CampaignSummary) {
  const { suite: _, host_ms: __, seeds, causes, ...others } = summary;
  return {
    ...others,
    seeds: seeds.map(({ first, count }) => ({ first, count })),
    causes: causes.map(({ found_after_ms: ___, ...cause }) => cause),
  };
}

it('counts each seed once although workers are killed and the database goes away', async () => {
  const { database, run } = await onDatabase();
  const { campaign, kills, ended } = await ordeal({
    server,
    database,
    command: fake?.command ?? '',
    cwd: work,
    seeds: 60,
    chunk: 5,
    workers: 3,
    kills: 3,
    restarts: 1,
    seed: 1n,
  });
  expect(kills).toBe(3);
  expect(ended.map(({ code }) => code)).toEqual([0, 0, 0]);
  for (const { err } of ended) {
    expect(err.match(/the database is away/g)?.length ?? 0).toBeLessThanOrEqual(1);
  }
  const shown = await run('campaign', campaign, '--out', campaign);
  expect(shown.err).toBe('');
  expect(comparable(summaryIn(campaign))).toEqual(await expected(60));
});

describe.concurrent('a worker', () => {
  it('keeps a range for longer than its lease while it lives', async () => {
    const { run, jobs } = await onDatabase();
    await run(...words('simulate --campaign slow --seeds 8 --chunk 8 --steps 1000 --lease 5s'));
    const ended = await Promise.all([
      run('worker', '--drain', '--workers', '1'),
      run('worker', '--drain', '--workers', '1'),
    ]);
    expect(ended.map(({ code }) => code)).toEqual([0, 0]);
    expect(await jobs('slow')).toEqual([{ state: 'completed', retry_count: 0 }]);
  });

  it('refuses a campaign of another version of the suite, and names that', async () => {
    const { database, run, jobs } = await onDatabase();
    await run('simulate', '--campaign', 'other', '--seeds', '10');
    const args = ['worker', '--queue', database.url, '--drain'];
    const { code, err } = await start(quiet?.command ?? '', args, work).ended;
    expect(err).toMatch(/campaign other is for suite 0\.1\.0 \(\w+\), and this is 0\.1\.0 \(\w+\)/);
    expect(err).toMatch(/next: start a worker of that version/);
    expect(code).toBe(2);
    expect(await jobs('other')).toEqual([{ state: 'created', retry_count: 0 }]);
    expect((await run('worker', '--drain')).code).toBe(0);
    expect((await jobs('other')).map(({ state }) => state)).toEqual(['completed']);
  });

  it('finishes the range in hand on Ctrl-C', async () => {
    const { begin, run, jobs } = await onDatabase();
    await run(...words('simulate --campaign finish --seeds 20 --chunk 10 --steps 100'));
    const worker = begin('worker', '--workers', '1');
    await until('a range in hand', async () =>
      (await jobs('finish')).some(({ state }) => state === 'active'),
    );
    worker.child.kill('SIGINT');
    const { code, out } = await worker.ended;
    expect([code, out]).toEqual([0, expect.stringContaining('wrote 1 ranges')]);
    const states = (await jobs('finish')).map(({ state }) => state);
    expect(states.toSorted()).toEqual(['completed', 'created']);
    await run('worker', '--drain');
  });

  it('hands the range back on a second Ctrl-C, and another takes it at once', async () => {
    const { database, begin, run, jobs } = await onDatabase();
    await run(...words('simulate --campaign back --seeds 10 --chunk 10 --steps 1000 --lease 1h'));
    const worker = begin('worker', '--workers', '1');
    await until('a range in hand', async () =>
      (await jobs('back')).some(({ state }) => state === 'active'),
    );
    worker.child.kill('SIGINT');
    await until('the first is heard', () => worker.seen.err.includes('again: hands them back'));
    worker.child.kill('SIGINT');
    const { code, err } = await worker.ended;
    expect(err).toContain('handed back: the worker was stopped');
    expect(code).toBe(0);
    expect((await jobs('back')).map(({ state }) => state)).toEqual(['retry']);
    await database.query(`DELETE FROM assay_jobs.job WHERE data->>'campaign' = 'back'`);
  });

  it('gives up a range that fails repeatedly; the campaign lists what is missing', async () => {
    const { run, jobs } = await onDatabase();
    const words = ['--seeds', '9', '--chunk', '3', '--mutation', 'maximum-not-held'];
    await run('simulate', '--campaign', 'broken', ...words);
    const worker = await run('worker', '--drain', '--workers', '1');
    expect(worker.err).toContain('handed back: seed 0x0000000000000007: a fault on purpose');
    expect(worker.code).toBe(3);
    expect((await jobs('broken')).find(({ state }) => state === 'failed')?.retry_count).toBe(20);
    const { code, out } = await run('campaign', 'broken', '--wait');
    expect(out).toContain('3 of 9 worlds are missing: each was taken again and again');
    expect(out).toContain('seeds 0x0000000000000007 to 0x0000000000000009');
    expect(code).toBe(3);
  });
});

describe.concurrent('a campaign', () => {
  it('can be waited for, and gives the same result whichever worker plays it', async () => {
    const { begin, run } = await onDatabase();
    const waiting = begin(...words('simulate --campaign waited --seeds 80 --chunk 9 --wait'));
    expect((await run('worker', '--until', '2s')).code).toBe(0);
    expect((await run('worker', '--drain')).code).toBe(0);
    const { code, out } = await waiting.ended;
    expect(out).toContain('80 worlds, suite');
    await run('campaign', 'waited', '--out', 'waited');
    const summary = summaryIn('waited');
    expect(code).toBe(summary.causes.length > 0 ? 1 : 0);
    expect(comparable(summary)).toEqual(await expected(80));
  });

  it('shows what there is so far, and ends with 3 where worlds are missing', async () => {
    const { run } = await onDatabase();
    await run('simulate', '--campaign', 'partly', '--seeds', '10', '--from', '0xfffffffffffffff0');
    const { code, out } = await run('campaign', 'partly');
    expect(out).toContain('10 of 10 worlds are missing: workers have yet to play them');
    expect(code).toBe(3);
    const list = await run('campaign');
    expect(list.out).toMatch(/^partly {2}0 of 10 worlds, suite 0\.1\.0/m);
    await run('worker', '--drain');
  });
});
