import type { Pool, PoolClient } from 'pg';
import type PgBoss from 'pg-boss';
import { usageFailure } from '../command.ts';
import type { WithRetry } from './database-retry.ts';

/** One statement; its rows are as the statement makes them. */
type Query = <Row>(text: string, values?: readonly unknown[]) => Promise<readonly Row[]>;

/** PostgreSQL storage of campaigns: our own tables, and the jobs of pg-boss in a schema of their own. */
export interface Database {
  readonly boss: PgBoss;
  readonly query: Query;
  /** Commits all statements of the body, or none. */
  readonly transaction: <T>(body: (inside: Inside) => Promise<T>) => Promise<T>;
  readonly close: () => Promise<void>;
}

/** Access within a transaction. Pass `db` to the methods of pg-boss, so that they take part in it. */
export interface Inside {
  readonly query: Query;
  readonly db: PgBoss.Db;
}

/** The schema of pg-boss; that of our own tables is `assay`. */
export const jobSchema = 'assay_jobs';

/** Codes of Node for a package that is not installed, as a module and as one of CommonJS. */
const isMissing = new Set<unknown>(['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND']);

/** Query timeout: a host that disappears silently must not block a query for ever. */
const answerMs = 30_000;

const lock = `SELECT pg_advisory_lock(hashtext('assay.campaign'))`;
const unlock = `SELECT pg_advisory_unlock(hashtext('assay.campaign'))`;

const tables = `
  BEGIN;
  CREATE SCHEMA IF NOT EXISTS assay;
  CREATE TABLE IF NOT EXISTS assay.campaign (
    id text PRIMARY KEY,
    version text NOT NULL,
    digest text NOT NULL,
    options text NOT NULL,
    first text NOT NULL,
    worlds integer NOT NULL,
    chunk integer NOT NULL,
    lease_s integer NOT NULL,
    submitted_at timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE IF NOT EXISTS assay.range_result (
    campaign text NOT NULL REFERENCES assay.campaign (id),
    first text NOT NULL,
    worlds integer NOT NULL,
    findings integer NOT NULL,
    -- Text, since a target may have put into a message what jsonb does not hold.
    summary text NOT NULL,
    worker text NOT NULL,
    finished_at timestamptz NOT NULL DEFAULT now(),
    PRIMARY KEY (campaign, first)
  );
  COMMIT;
`;

/** At least two connections: one holds a lock while another creates. Loaded here, so that no other command waits for it. */
export async function openDatabase(
  url: string,
  connections: number,
  patiently: WithRetry,
): Promise<Database> {
  const [{ default: pg }, { default: Boss }] = await loadPackages();
  const pool = new pg.Pool({
    connectionString: url,
    max: connections,
    application_name: 'assay',
    connectionTimeoutMillis: answerMs,
    query_timeout: answerMs,
    keepAlive: true,
  });
  // A connection that breaks while idle is replaced when it is needed.
  pool.on('error', () => {});
  const db: PgBoss.Db = {
    executeSql: (text, values) => onClient(pool, (client) => client.query(text, values)),
  };
  const boss = new Boss({ db, schema: jobSchema, supervise: false, schedule: false });
  // Without this listener an error of pg-boss would end the process. All calls of pg-boss here report their own errors.
  boss.on('error', () => {});
  try {
    await patiently(async () => {
      // Two processes that start at once would both create the missing tables, also those of pg-boss: the lock makes
      // the second wait. It ends with its connection, even if this process crashes.
      await onClient(pool, async (client) => {
        await client.query(lock);
        await client.query(tables);
        await boss.start();
        await client.query(unlock);
      });
    });
  } catch (error) {
    await pool.end();
    throw error;
  }
  return {
    boss,
    query: async <Row>(text: string, values: readonly unknown[] = []) =>
      (await onClient(pool, (client) => client.query(text, [...values]))).rows as Row[],
    transaction: (body) => onClient(pool, (client) => inTransaction(client, body)),
    close: () => pool.end(),
  };
}

/** Both are optional: only campaigns need them. */
async function loadPackages() {
  try {
    return await Promise.all([import('pg'), import('pg-boss')]);
  } catch (error) {
    if (!(error instanceof Error && 'code' in error && isMissing.has(error.code))) throw error;
    throw usageFailure(
      'campaigns need the packages pg and pg-boss, which are not installed beside assay',
      'npm install pg pg-boss@10, in the project that has assay',
    );
  }
}

/** A connection on which anything failed is not used again: a transaction may be left open on it. */
async function onClient<T>(pool: Pool, act: (client: PoolClient) => Promise<T>): Promise<T> {
  const client = await pool.connect();
  // Between two queries of a transaction the client has no other error listener.
  const ignore = (): void => {};
  client.on('error', ignore);
  try {
    const result = await act(client);
    client.release();
    return result;
  } catch (error) {
    client.release(true);
    throw error;
  } finally {
    client.off('error', ignore);
  }
}

async function inTransaction<T>(
  client: PoolClient,
  body: (inside: Inside) => Promise<T>,
): Promise<T> {
  await client.query('BEGIN');
  const result = await body({
    query: async <Row>(text: string, values: readonly unknown[] = []) =>
      (await client.query(text, [...values])).rows as Row[],
    db: { executeSql: (text, values) => client.query(text, values) },
  });
  await client.query('COMMIT');
  return result;
}
