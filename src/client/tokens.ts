import type { Exchange } from '../history/records.ts';
import type { AuthLabel } from '../history/token-label.ts';
import { jwtPart } from '../protocol/jwt.ts';
import { lifetimeIn, tokenIn } from '../protocol/token-answer.ts';
import type { Role } from '../spec/vocabulary.ts';
import { createSignal } from '../timeline/signal.ts';
import type { Timeline } from '../timeline/timeline.ts';
import { CircuitOpenError } from './circuit-breaker.ts';
import { requestToken, type TokenBody, tokenBodyOf } from './token-request.ts';

/** A token from elsewhere, or a function that gets one, with its lifetime if that is known. */
export type TokenProvider =
  | string
  | (() => Promise<string | { readonly token: string; readonly expiresInSeconds?: number }>);

interface TokensOptions {
  readonly role: Role;
  readonly timeline: Timeline;
  /** Used in place of the party's own `POST /auth/token`. */
  readonly provider: TokenProvider | undefined;
  /** Sends `POST /auth/token`. */
  readonly send: (body: TokenBody | undefined) => Promise<Exchange>;
  /** Called with each token before it is sent. */
  readonly keepSecret: (token: string) => void;
}

/** A token is renewed in the last tenth of its life, at most this long before its end. */
const longestMarginMs = 60_000;
const pauseAfterFailureMs = 5_000;
/** A target whose clock is ahead ends a token sooner. */
const endMarginMs = 5_000;

/** A party's own token, renewed in time. */
export function createTokens({ role, timeline, provider, send, keepSecret }: TokensOptions) {
  const renewed = createSignal();
  let token = '';
  let renewAt = Number.NEGATIVE_INFINITY;
  /** When the current token is near its end. Infinite if that is not known, or was over when the token came. */
  let endsAt = Number.POSITIVE_INFINITY;
  let renewing = false;
  let lastExchange: Exchange | undefined;
  /** Body of the token request. Part 4.1 has none. If a backend wants one, it is sent from the first time on. */
  let knownBody: TokenBody | undefined;

  /** A new token with its lifetime as it is stated; undefined if none could be obtained. */
  async function obtain(): Promise<
    readonly [token: string, lifetimeSeconds?: unknown] | undefined
  > {
    if (typeof provider === 'string') return [provider];
    if (provider) {
      const provided = await timeline.turn(() => provider().catch(() => undefined));
      if (typeof provided === 'string') return [provided];
      return provided && [provided.token, provided.expiresInSeconds];
    }
    // Without a new token the old one is still sent: the checks judge the target's answer to it.
    const exchange = await requestToken(role, (body = knownBody) => send(body)).catch(
      undefinedIfCircuitOpen,
    );
    if (!exchange) return undefined;
    lastExchange = exchange;
    const own = tokenIn(exchange);
    if (own === undefined) return undefined;
    knownBody = tokenBodyOf(exchange);
    return [own, lifetimeIn(exchange)];
  }

  async function renew(): Promise<void> {
    const requestedAt = timeline.now();
    const obtained = await obtain();
    const now = timeline.now();
    renewAt = now + pauseAfterFailureMs;
    if (!obtained) return;
    token = obtained[0];
    keepSecret(token);
    const expiresAt = expiryOf(token, requestedAt, obtained[1]);
    const due = expiresAt - Math.min(longestMarginMs, (expiresAt - now) / 10);
    endsAt = expiresAt > now ? Math.max(due, expiresAt - endMarginMs) : Number.POSITIVE_INFINITY;
    // A token that is about to expire when it comes would be requested again and again without the pause.
    if (due > now) renewAt = due;
  }

  /** True if the current token can be sent now. */
  const isFresh = (): boolean => timeline.now() < renewAt;

  return {
    /** The current token; empty before the first was obtained. */
    current: () => token,
    /** Label of the current token. Near its end, if none came in its place, nothing follows from a refusal. */
    label: (): AuthLabel => (timeline.now() < endsAt ? 'own' : 'token at its end'),
    /** The last answer of `POST /auth/token`. */
    lastExchange: () => lastExchange,
    isFresh,
    /** Obtains a new token if needed. If that fails, the current one stays. */
    async refresh(): Promise<void> {
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
    },
  };
}

/** Moment at which a token expires: after its stated lifetime, or else at its own `exp`; infinity if neither is known. */
function expiryOf(token: string, requestedAt: number, lifetimeSeconds: unknown): number {
  const isKnown = (value: unknown): value is number =>
    typeof value === 'number' && Number.isFinite(value);
  if (isKnown(lifetimeSeconds)) return requestedAt + lifetimeSeconds * 1_000;
  const exp = jwtPart(token, 'claims')?.['exp'];
  return isKnown(exp) ? exp * 1_000 : Number.POSITIVE_INFINITY;
}

function undefinedIfCircuitOpen(error: unknown): undefined {
  if (!(error instanceof CircuitOpenError)) throw error;
}
