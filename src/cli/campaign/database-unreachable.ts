import { reasonOf } from '../../run/read-text.ts';

/** Of the host: nobody listens there, the name is not known yet, the connection was cut. */
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
 * Of PostgreSQL: connection errors (08), too many connections (53300), shut down or starting (57P01 to 57P05), a
 * transaction that lost to another (40001, 40P01), a server that has become a standby (25006).
 */
const serverCodes = /^(?:08...|53300|57P0[1-5]|40001|40P01|25006)$/;

/** What `pg` says without a code: the connection ended under a query, or nothing came in time. */
const withoutCode =
  /^(?:Connection terminated|Client has encountered a connection error|Query read timeout|timeout (?:expired|exceeded))/;

/** Whether the same may succeed once the database is there again. */
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
