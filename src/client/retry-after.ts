import type { RecordedResponse } from '../history/records.ts';

/** Beyond this a target's wish to be left alone is an answer, not a delay. */
const longestMs = 60_000;
const unnamedMs = 1_000;
const mostTries = { named: 5, unnamed: 3 } as const;

function wishedMs({ headers }: RecordedResponse, now: number): number | undefined {
  const wish = headers['retry-after']?.trim();
  if (wish === undefined) return undefined;
  if (/^\d+$/.test(wish)) return Number(wish) * 1_000;
  const until = Date.parse(wish);
  // Both dates are the target's, so its clock need not agree with ours.
  const from = Date.parse(headers['date'] ?? '');
  const ms = until - (Number.isNaN(from) ? now : from);
  return Number.isNaN(ms) ? undefined : Math.max(ms, 0);
}

/** How long to wait before the same request is sent again after so many tries; undefined: not at all. */
export function retryDelayMs(
  response: RecordedResponse | undefined,
  tries: number,
  now: number,
): number | undefined {
  if (response?.status !== 429) return undefined;
  const wished = wishedMs(response, now);
  if (wished === undefined) return tries < mostTries.unnamed ? unnamedMs : undefined;
  return wished <= longestMs && tries < mostTries.named ? wished : undefined;
}
