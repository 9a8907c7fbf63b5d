import type { RecordedResponse } from '../../history/records.ts';

/** Maximum total wait for one request after 429; beyond it the refusal counts as the answer. */
export const defaultRetryMs = 60_000;
const unnamedMs = 1_000;
/** A target may ask for a retry at once, again and again. */
const leastMs = 50;
const mostTries = { named: 20, unnamed: 4 } as const;

function wishedMs({ headers }: RecordedResponse, now: number): number | undefined {
  const wish = headers['retry-after']?.trim();
  if (wish === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(wish)) return Number(wish) * 1_000;
  // A date has letters; other texts that a host would parse as a date are not meant as one.
  const until = /^[a-z]{3}/i.test(wish) ? Date.parse(wish) : Number.NaN;
  // Both dates are the target's, so its clock need not agree with ours.
  const from = Date.parse(headers['date'] ?? '');
  const ms = until - (Number.isNaN(from) ? now : from);
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}

/**
 * Milliseconds to wait before a request that was refused with 429 is sent again; undefined: it is not sent again.
 * @param leftMs what is left of the maximum total wait
 */
export function retryDelayMs(
  response: RecordedResponse,
  tries: number,
  leftMs: number,
  now: number,
): number | undefined {
  const wished = wishedMs(response, now);
  const most = wished === undefined ? mostTries.unnamed : mostTries.named;
  const delayMs = Math.max(wished ?? unnamedMs * 2 ** (tries - 1), leastMs * tries);
  return tries < most && delayMs <= leftMs ? Math.ceil(delayMs) : undefined;
}
