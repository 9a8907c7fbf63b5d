import type { Exchange } from '../history/records.ts';
import { lifetimeIn, tokenIn } from '../protocol/token-answer.ts';
import type { Role } from '../spec/vocabulary.ts';
import type { Timeline } from '../timeline/timeline.ts';
import { CircuitOpenError } from './circuit-breaker.ts';
import { type ObtainedToken, obtainedFrom } from './token-renewal.ts';
import { requestToken, type TokenBody, tokenBodyOf } from './token-request.ts';

/** A token that came with its lifetime. */
interface ProvidedToken {
  readonly token: string;
  readonly expiresInSeconds?: number;
}

/** A token from elsewhere, or a function that gets one. */
export type TokenProvider = string | (() => Promise<string | ProvidedToken>);

interface TokenFetcherOptions {
  readonly role: Role;
  readonly timeline: Timeline;
  /** Used in place of the party's own `POST /auth/token`. */
  readonly provider: TokenProvider | undefined;
  /** Sends `POST /auth/token`. */
  readonly send: (body: TokenBody | undefined) => Promise<Exchange>;
}

/** Gets the tokens of one party. */
export interface TokenFetcher {
  /** A new token; undefined if none could be obtained. */
  readonly obtain: () => Promise<ObtainedToken | undefined>;
  /** The last answer of `POST /auth/token`. */
  readonly lastExchange: () => Exchange | undefined;
}

export function createTokenFetcher(options: TokenFetcherOptions): TokenFetcher {
  const { role, timeline, provider, send } = options;
  let last: Exchange | undefined;
  /** Body of the token request. Part 4.1 has none. If a backend wants one, it is sent from the first time on. */
  let knownBody: TokenBody | undefined;

  async function obtain(): Promise<ObtainedToken | undefined> {
    if (typeof provider === 'string') return obtainedFrom(provider);
    const requestedAt = timeline.now();
    if (provider) {
      const provided = await timeline.turn(() => provider().catch(() => undefined));
      if (provided === undefined) return undefined;
      if (typeof provided === 'string') return obtainedFrom(provided);
      return obtainedFrom(provided.token, expiryOf(requestedAt, provided.expiresInSeconds));
    }
    // Without a new token the old one is still sent: the checks judge the target's answer to it.
    const exchange = await requestToken(role, (body = knownBody) => send(body)).catch(
      undefinedIfCircuitOpen,
    );
    if (!exchange) return undefined;
    last = exchange;
    const token = tokenIn(exchange);
    if (token === undefined) return undefined;
    knownBody = tokenBodyOf(exchange);
    return obtainedFrom(token, expiryOf(requestedAt, lifetimeIn(exchange)));
  }

  return { obtain, lastExchange: () => last };
}

/** Undefined if the stated lifetime is no number. */
const expiryOf = (requestedAt: number, lifetimeSeconds: unknown): number | undefined =>
  typeof lifetimeSeconds === 'number' && Number.isFinite(lifetimeSeconds)
    ? requestedAt + lifetimeSeconds * 1_000
    : undefined;

function undefinedIfCircuitOpen(error: unknown): undefined {
  if (!(error instanceof CircuitOpenError)) throw error;
}
