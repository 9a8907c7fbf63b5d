import type { RecordedResponse } from '../../history/records.ts';

/** How long 429 is waited out for one request, in all; beyond it a target's wish to be left alone is an answer. */
export const defaultRetryMs = 60_000;
const unnamedMs = 1_000;
/** A target may ask to come back at once, again and again. */
const leastMs = 50;
const mostTries = { named: 20, unnamed: 4 } as const;

function wishedMs({ headers }: RecordedResponse, now: number): number | undefined {
  const wish = headers['retry-after']?.trim();
  if (wish === undefined) return undefined;
  if (/^\d+(\.\d+)?$/.test(wish)) return Number(wish) * 1_000;
  // A date has letters; what else a host would read as one is no moment that anybody meant.
  const until = /^[a-z]{3}/i.test(wish) ? Date.parse(wish) : Number.NaN;
  // Both dates are the target's, so its clock need not agree with ours.
  const from = Date.parse(headers['date'] ?? '');
  const ms = until - (Number.isNaN(from) ? now : from);
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}

/** Waits for the sake of one request so far. */
export interface RetryState {
  readonly tries: number;
  /** Since it was sent for the first time. */
  readonly ms: number;
  /** The most that it may wait in all. */
  readonly mostMs: number;
}

/** How long to wait before the same request is sent again; undefined: not at all. */
export function retryDelayMs(
  response: RecordedResponse | undefined,
  { tries, ms, mostMs }: RetryState,
  now: number,
): number | undefined {
  if (response?.status !== 429) return undefined;
  const wished = wishedMs(response, now);
  const most = wished === undefined ? mostTries.unnamed : mostTries.named;
  const delayMs = Math.max(wished ?? unnamedMs * 2 ** (tries - 1), leastMs * tries);
  return tries < most && ms + delayMs <= mostMs ? Math.ceil(delayMs) : undefined;
}
