import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runHere } from '../cli/command-here.ts';
import { type Ended, run as runShipped } from '../cli/shipped-command.ts';
import { startServer, type TestDatabase, type TestServer } from './database.ts';
import { tryRanges } from './try-ranges.ts';
import { testDirectory } from '../support/test-directory.ts';

const work = testDirectory();
let server: TestServer;
let empty: TestDatabase;
beforeAll(async () => {
  server = await startServer();
  empty = await server.create();
});
afterAll(async () => {
  await server?.remove();
});

/** The command on a database that nobody else uses. */
async function onDatabase() {
  const database = await server.create();
  // As shipped, since a campaign is of the worlds that are bundled: its digest is theirs.
  const run = (command: string, ...words: readonly string[]): Promise<Ended> =>
    runShipped([command, '--queue', database.url, ...words], work);
  const jobs = (campaign: string) =>
    database.query<{ readonly state: string; readonly retry_count: number }>(
      `SELECT state, retry_count FROM assay_jobs.job WHERE data->>'campaign' = $1`,
      [campaign],
    );
  return { database, run, jobs };
}

tryRanges(() => server.create());

describe.concurrent('a campaign', () => {
  it('is submitted once under a name, which no other campaign can take', async () => {
    const { run, jobs } = await onDatabase();
    const words = ['--campaign', 'once', '--seeds', '10'];
    expect((await run('simulate', ...words)).out).toContain('campaign once submitted');
    const again = await run('simulate', ...words);
    expect([again.code, again.out]).toEqual([0, expect.stringContaining('was submitted already')]);
    expect(await jobs('once')).toHaveLength(1);
    const other = await run('simulate', '--campaign', 'once', '--seeds', '11');
    expect(other.code).toBe(2);
    expect(other.err).toContain('--campaign once is the name of another campaign: seeds 0x');
  });
});

describe.concurrent('a command line that cannot be followed', () => {
  it.each([
    [['simulate'], 2, /without a number of worlds[\s\S]*add --seeds N/],
    [['simulate', '--seeds', '17', '--from', '0xfffffffffffffff0'], 2, /no 17 seeds from 0xf+0 on/],
    [['simulate', '--seeds', '1', '--lease', '1s'], 2, /--lease[\s\S]*give 2s to 12h/],
    [['simulate', '--seeds', '1', '--campaign', 'A b'], 2, /--campaign "A b" is no name/],
    [['campaign', 'nobody'], 2, /there is no campaign "nobody"/],
  ])('%j', async ([command = '', ...words], wanted, message) => {
    // Only the bundled command can simulate on a queue.
    const run = command === 'simulate' ? runShipped : runHere;
    const { code, err } = await run([command, '--queue', empty.url, ...words], work);
    expect([code, err]).toEqual([wanted, expect.stringMatching(message)]);
  });

  it('tells what is wrong with the database, and never its password', async () => {
    const { database } = await onDatabase();
    const url = new URL(database.url);
    url.password = 'wrong-secret';
    const refused = await runShipped(['worker', '--queue', url.href], work);
    expect(refused.code).toBe(3);
    expect(refused.err).toMatch(/database at 127\.0\.0\.1:\d+\/test_\d+ refuses: password auth/);
    url.port = '1';
    const away = await runHere(['campaign', '--queue', url.href], work);
    expect(away.code).toBe(3);
    expect(away.err).toMatch(/cannot reach the database at 127\.0\.0\.1:1\/test_\d+: .*REFUSED/);
    expect(refused.err + refused.out + away.err + away.out).not.toContain('wrong-secret');
  });
});
