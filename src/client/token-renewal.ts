import { jwtPart } from '../protocol/jwt.ts';
import { createSignal } from '../timeline/signal.ts';
import type { Timeline } from '../timeline/timeline.ts';

/** A token, and the moment on the timeline at which it expires, if that is known. */
export interface ObtainedToken {
  readonly token: string;
  readonly expiresAt?: number;
}

/** A party's own token, renewed in time. */
export interface TokenRenewal {
  /** The current token; empty before the first was obtained. */
  current(): string;
  /** True if the current token can be sent now. */
  isFresh(): boolean;
  /** The token to send now. A new one is obtained first if needed; if that fails, the current one. */
  fresh(): Promise<string>;
}

/** A token is renewed in the last tenth of its life, at most this long before its end. */
const longestMarginMs = 60_000;
const pauseAfterFailureMs = 5_000;

/**
 * @param obtain gets a new token; undefined if that failed
 * @param keepSecret called with each token before it is sent
 */
export function createTokenRenewal(
  timeline: Timeline,
  obtain: () => Promise<ObtainedToken | undefined>,
  keepSecret: (token: string) => void = () => undefined,
): TokenRenewal {
  const renewed = createSignal();
  let token = '';
  let renewAt = Number.NEGATIVE_INFINITY;
  let renewing = false;

  async function renew(): Promise<void> {
    const obtained = await obtain();
    const now = timeline.now();
    if (!obtained) {
      renewAt = now + pauseAfterFailureMs;
      return;
    }
    token = obtained.token;
    keepSecret(token);
    const { expiresAt = Number.POSITIVE_INFINITY } = obtained;
    renewAt = expiresAt - Math.min(longestMarginMs, (expiresAt - now) / 10);
    // A token that is about to expire when it comes would be requested again and again without this pause.
    if (renewAt <= now) renewAt = now + pauseAfterFailureMs;
  }

  const isFresh = (): boolean => timeline.now() < renewAt;

  return {
    current: () => token,
    isFresh,
    async fresh() {
      while (!isFresh()) {
        // A second caller waits on the timeline: waiting for the promise would stop time.
        if (renewing) {
          await timeline.wait(renewed);
          continue;
        }
        renewing = true;
        try {
          await renew();
        } finally {
          renewing = false;
          renewed.ring();
        }
      }
      return token;
    },
  };
}

/** A token from elsewhere. It expires after its stated lifetime, or else at its own `exp`. */
export function obtainedFrom(token: string, expiresAt?: number): ObtainedToken {
  if (expiresAt !== undefined) return { token, expiresAt };
  const exp = jwtPart(token, 'claims')?.['exp'];
  return typeof exp === 'number' && Number.isFinite(exp)
    ? { token, expiresAt: exp * 1_000 }
    : { token };
}
