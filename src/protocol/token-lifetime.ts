import { limits } from '../spec/limits.ts';
import type { JsonObject } from './json.ts';

/** Whole seconds may have been cut. */
const cutSeconds = 1;

/**
 * Whether a token lasts for the default span (5.4): by the answer, or by its own claims where it was handed out some time
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
