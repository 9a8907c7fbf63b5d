import { random } from '../../src/random/random.ts';
import type { TestDatabase, TestServer } from './database.ts';
import { pause, type Started, start, until } from './processes.ts';

export interface Ordeal {
  readonly server: TestServer;
  readonly database: TestDatabase;
  /** The bundled command. */
  readonly command: string;
  readonly cwd: string;
  readonly seeds: number;
  readonly chunk: number;
  /** About how many steps each world has; those of fake-world.ts take as many milliseconds. */
  readonly steps?: number | undefined;
  readonly workers: number;
  readonly kills: number;
  readonly restarts: number;
  /** Of the moments and the victims. */
  readonly seed: bigint;
  readonly say?: (text: string) => void;
}

/** Result of a campaign whose workers were killed and whose database was restarted. */
export interface OrdealResult {
  readonly campaign: string;
  readonly kills: number;
  readonly restarts: number;
  /** Ranges that were taken more than once, as the queue counts. */
  readonly takenAgain: number;
  readonly workersStarted: number;
  /** Exit codes and words of the workers that ended by themselves. */
  readonly ended: readonly { readonly code: number | null; readonly err: string }[];
}

/**
 * Times of kills and restarts as shares of the campaign: random, sorted, and never near its end.
 */
function moments({ kills, restarts, seed }: Ordeal): { at: number; what: 'kill' | 'restart' }[] {
  const stream = random(seed, 'ordeal');
  const draw = (what: 'kill' | 'restart', count: number) =>
    Array.from({ length: count }, () => ({ at: stream.below(850) / 1_000, what }));
  return [...draw('kill', kills), ...draw('restart', restarts)].toSorted((a, b) => a.at - b.at);
}

/**
 * Submits a campaign and starts workers. Kills workers with -9 and replaces them, and restarts the
 * database, at shares of the campaign that the seed decides. Returns when every worker has ended
 * because no range is left.
 */
export async function ordeal(given: Ordeal): Promise<OrdealResult> {
  const { server, database, command, cwd, seeds, chunk, workers, seed, say = () => {} } = given;
  const campaign = `ordeal-${seed}`;
  const words = ['--queue', database.url, '--campaign', campaign, '--lease', '2s'];
  words.push('--seeds', String(seeds), '--chunk', String(chunk));
  if (given.steps !== undefined) words.push('--steps', String(given.steps));
  const submitted = await start(command, ['simulate', ...words], cwd).ended;
  if (submitted.code !== 0) throw new Error(`not submitted: ${submitted.err}`);

  const victims = random(seed, 'victims');
  const running = new Set<Started>();
  const all: Started[] = [];
  const startWorker = (): void => {
    const worker = start(
      command,
      ['worker', '--queue', database.url, '--workers', '1', '--drain'],
      cwd,
    );
    running.add(worker);
    all.push(worker);
    void worker.ended.then(() => running.delete(worker));
  };
  const killWorker = async (): Promise<void> => {
    const victim = victims.pick([...running]);
    victim.child.kill('SIGKILL');
    await victim.ended;
    say(`killed -9: ${victim.child.pid}`);
    startWorker();
  };
  const restart = async (): Promise<void> => {
    await server.halt();
    say('the database is stopped');
    await pause(500);
    await server.resume();
    say('the database runs again');
  };
  const playedShare = async (): Promise<number> => {
    const [row] = await database.query<{ readonly played: string }>(
      'SELECT coalesce(sum(worlds), 0) AS played FROM assay.range_result WHERE campaign = $1',
      [campaign],
    );
    return Number(row?.played ?? 0) / seeds;
  };

  try {
    for (let n = 0; n < workers; n += 1) startWorker();
    for (const { at, what } of moments(given)) {
      await until(`a share of ${at}`, async () => (await playedShare()) >= at && running.size > 0);
      // Between two results, not right after one.
      await pause(victims.below(60));
      await (what === 'kill' ? killWorker() : restart());
    }
    const ended = await Promise.all(all.map((worker) => worker.ended));
    return {
      campaign,
      kills: ended.filter(({ signal }) => signal === 'SIGKILL').length,
      restarts: given.restarts,
      takenAgain: await takenAgain(database, campaign),
      workersStarted: all.length,
      ended: ended.filter(({ signal }) => signal === null),
    };
  } finally {
    for (const worker of running) worker.child.kill('SIGKILL');
  }
}

async function takenAgain(database: TestDatabase, campaign: string): Promise<number> {
  const [row] = await database.query<{ readonly count: string }>(
    `SELECT count(*) AS count FROM assay_jobs.job WHERE retry_count > 0 AND data->>'campaign' = $1`,
    [campaign],
  );
  return Number(row?.count ?? 0);
}
