import { isSea } from 'node:sea';
import { random } from '../../random/random.ts';
import { systemClock } from '../../timeline/clock/system-clock.ts';
import { systemTimeline } from '../../timeline/system-timeline.ts';
import type { Timeline } from '../../timeline/timeline.ts';
import { CommandFailure, usageFailure } from '../command.ts';
import { freshSeed } from '../../run/fresh.ts';
import { type Database, openDatabase } from './database.ts';
import {
  createDatabaseRetry,
  isUnreachable,
  unreachableReason,
  type WithRetry,
} from './database-retry.ts';

export interface Connection {
  readonly database: Database;
  readonly patiently: WithRetry;
  readonly timeline: Timeline;
}

/** Maximum wait for the first connection: a failure is more often a wrong address than a database that is starting. */
const firstMs = 10_000;

/** Address of a database without its password. Throws a usage failure if it is no PostgreSQL address. */
export function shownUrl(url: string): string {
  const next =
    'give --queue postgres://USER@HOST:PORT/DATABASE; the password may stand in PGPASSWORD';
  let parsed: URL;
  try {
    parsed = new URL(url);
  } catch {
    throw usageFailure('--queue is no address of a database', next);
  }
  if (!/^postgres(?:ql)?:$/.test(parsed.protocol)) {
    throw usageFailure(`--queue: ${parsed.protocol}// is no PostgreSQL`, next);
  }
  return `${parsed.host}${parsed.pathname}`;
}

/** Opens the database of `--queue`. A failure names the reason and the next thing to do. */
export async function connect(
  url: string,
  connections: number,
  say: (text: string) => void,
  isEnough: () => boolean = () => false,
): Promise<Connection> {
  if (isSea()) {
    const next = 'install the package of assay (docs/start.md), and run this as npx assay';
    throw usageFailure('the single executable carries no client of PostgreSQL', next);
  }
  const shown = shownUrl(url);
  const timeline = systemTimeline(systemClock());
  const patiently = createDatabaseRetry(timeline, {
    random: random(freshSeed(), 'database'),
    say,
    firstMs,
    isEnough,
  });
  try {
    return { database: await openDatabase(url, connections, patiently), patiently, timeline };
  } catch (error) {
    throw databaseFailure(error, shown);
  }
}

/** Database error in words for the person who runs the command. */
export function databaseFailure(error: unknown, shown: string): Error {
  if (isUnreachable(error)) {
    return new CommandFailure(
      `assay: cannot reach the database at ${shown}: ${unreachableReason(error)}\n  next: check host and port of --queue, and that the server runs`,
      3,
    );
  }
  // Every refusal of PostgreSQL has a code of five characters.
  const isRefusal = error instanceof Error && 'code' in error && /^\w{5}$/.test(String(error.code));
  if (!isRefusal) return error instanceof Error ? error : new Error(String(error));
  return new CommandFailure(
    `assay: the database at ${shown} refuses: ${error.message}\n  next: check user, password and database of --queue; the user must be allowed to create schemas`,
    3,
  );
}
