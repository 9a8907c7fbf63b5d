import { limits } from '../spec/limits.ts';
import type { JsonObject } from './json.ts';

/** Truncation to whole seconds may lose one. */
const cutSeconds = 1;

/**
 * True if a token has the default lifetime (5.4): by the answer, or by its own claims if it was handed out some time
 * after it had been issued.
 */
export function hasDefaultLifetime(
  expiresInSeconds: number,
  { iat, exp }: JsonObject = {},
): boolean {
  const spans =
    typeof iat === 'number' && typeof exp === 'number'
      ? [expiresInSeconds, exp - iat]
      : [expiresInSeconds];
  return spans.some((span) => Math.abs(span - limits.tokenLifetimeSeconds) <= cutSeconds);
}
