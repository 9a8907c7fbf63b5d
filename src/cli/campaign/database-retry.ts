import type { Random } from '../../random/random.ts';
import { reasonOf } from '../../run/read-text.ts';
import type { Timeline } from '../../timeline/timeline.ts';

/** Error codes of the host: no listener, unknown host name, connection lost. */
const hostCodes = new Set([
  'EAI_AGAIN',
  'ECONNABORTED',
  'ECONNREFUSED',
  'ECONNRESET',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENOENT',
  'ENOTFOUND',
  'EPIPE',
  'ETIMEDOUT',
]);

/**
 * Error codes of PostgreSQL: connection errors (08), too many connections (53300), shut down or starting (57P01 to
 * 57P05), a transaction that lost to another (40001, 40P01), a server that has become a standby (25006).
 */
const serverCodes = /^(?:08...|53300|57P0[1-5]|40001|40P01|25006)$/;

/** Messages of `pg` that have no code: the connection ended during a query, or a timeout. */
const withoutCode =
  /^(?:Connection terminated|Client has encountered a connection error|Query read timeout|timeout (?:expired|exceeded))/;

/** True if a retry may succeed once the database is back. */
export function isUnreachable(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  // One name may have several addresses, each refused.
  if (error instanceof AggregateError) return error.errors.some(isUnreachable);
  const code = 'code' in error ? String(error.code) : undefined;
  if (code === undefined) return withoutCode.test(error.message);
  return hostCodes.has(code) || serverCodes.test(code);
}

export const unreachableReason = (error: unknown): string =>
  reasonOf(error instanceof AggregateError ? (error.errors[0] ?? error) : error);

/** Retries an action while the database is unreachable. */
export type WithRetry = <T>(act: () => Promise<T>) => Promise<T>;

export interface DatabaseRetryOptions {
  /** Spreads the retries of many workers, so that they do not all call a database at once when it is back. */
  readonly random: Random;
  readonly say: (text: string) => void;
  /** Longest wait for a database that was never reached. A database that was reached once is waited for without end. */
  readonly firstMs: number;
  /** True if nobody waits for the result any more: ends the retries. */
  readonly isEnough?: () => boolean;
}

const pauseMs = { first: 200, longest: 10_000 } as const;

export function createDatabaseRetry(
  timeline: Timeline,
  { random, say, firstMs, isEnough = () => false }: DatabaseRetryOptions,
): WithRetry {
  let successes = 0;
  let away = false;

  /** Doubled each time up to a bound; half of it is drawn. */
  const pauseAfter = (tries: number): number => {
    const whole = Math.min(pauseMs.longest, pauseMs.first * 2 ** Math.min(tries, 16));
    return whole / 2 + random.below(Math.ceil(whole / 2));
  };

  return async (act) => {
    const since = timeline.now();
    for (let tries = 0; ; tries += 1) {
      const before = successes;
      try {
        const result = await act();
        successes += 1;
        if (away) say('the database is back');
        away = false;
        return result;
      } catch (error) {
        const leftMs = successes > 0 ? Number.POSITIVE_INFINITY : since + firstMs - timeline.now();
        if (!isUnreachable(error) || leftMs <= 0 || isEnough()) throw error;
        // An old connection that breaks late is not reported if another action has succeeded since.
        if (!away && successes === before) {
          away = true;
          say(`the database is away (${unreachableReason(error)}); it is tried again and again`);
        }
        await timeline.sleep(Math.min(pauseAfter(tries), leftMs));
      }
    }
  };
}
