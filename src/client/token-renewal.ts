import { jwtPart } from '../protocol/jwt.ts';
import { createSignal } from '../timeline/signal.ts';
import type { Timeline } from '../timeline/timeline.ts';

/** A token, and the moment at which it expires on the timeline where that is known. */
export interface ObtainedToken {
  readonly token: string;
  readonly expiresAt?: number;
}

/** A party's own token, renewed in time. */
export interface TokenRenewal {
  /** Empty before the first was obtained. */
  current(): string;
  /** Whether the current one can be sent now. */
  isFresh(): boolean;
  /** The token to send now, obtained first if need be; what there is, if that fails. */
  fresh(): Promise<string>;
}

/** A token is renewed in the last tenth of its life, at most this long before its end. */
const longestMarginMs = 60_000;
const pauseAfterFailureMs = 5_000;

/**
 * @param obtain gets a new one; undefined where that failed
 * @param keepSecret is told of each before anybody sends it
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
    // One that is as good as expired when it comes is not asked for again and again.
    if (renewAt <= now) renewAt = now + pauseAfterFailureMs;
  }

  const isFresh = (): boolean => timeline.now() < renewAt;

  return {
    current: () => token,
    isFresh,
    async fresh() {
      while (!isFresh()) {
        // Whoever comes second waits on the timeline: waiting for the promise would hold time still.
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

/** A token that came from elsewhere: its stated lifetime, or else its own `exp`, says when it expires. */
export function obtainedFrom(token: string, expiresAt?: number): ObtainedToken {
  if (expiresAt !== undefined) return { token, expiresAt };
  const exp = jwtPart(token, 'claims')?.['exp'];
  return typeof exp === 'number' && Number.isFinite(exp)
    ? { token, expiresAt: exp * 1_000 }
    : { token };
}
