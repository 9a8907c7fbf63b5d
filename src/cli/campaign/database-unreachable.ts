import { reasonOf } from '../../run/read-text.ts';

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
