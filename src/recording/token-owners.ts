import { createHash } from 'node:crypto';
import type { Exchange } from '../history/records.ts';
import type { AuthLabel } from '../history/token-label.ts';
import { isRefusal, succeeded } from '../protocol/answers.ts';
import { isJwt, tokenIn } from '../protocol/token-answer.ts';
import { endpoints } from '../spec/endpoints.ts';

/** Knows the owner of a token: from the answer that issued it, or from the requests that were granted with it. */
export interface TokenOwners {
  /** Learns the token that an answer issued, or that a granted request carried. */
  learn(exchange: Exchange): void;
  /**
   * Label of the token that was sent with a request.
   * @param knownPart `all`: the request is known as it was sent; `bare`: its token may be missing
   */
  labelOf(exchange: Exchange, knownPart?: 'all' | 'bare'): AuthLabel;
}

/** Maximum number of tokens that are known; the newest are kept. */
const most = 10_000;

const secretive = /token|auth|cookie|api[_-]?key/i;
const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64');

const tokenSent = ({ request }: Exchange): string | undefined =>
  request.headers['authorization']?.replace(/^\S+\s+/, '');

/** A signature has at least 32 bytes. A shorter one replaces a signature that was removed, probably from all tokens. */
const isWholeJwt = (token: string): boolean => isJwt(token) && /\.[\w-]{43,}$/.test(token);

const useOf = ({ party, endpoint }: Exchange, token: string): string =>
  JSON.stringify([party, endpoint, hashOf(token)]);

export function createTokenOwners(): TokenOwners {
  const owners = new Map<string, string>();
  const granted = new Map<string, true>();

  function keep<T>(known: Map<string, T>, key: string, value: T): void {
    known.delete(key);
    known.set(key, value);
    const [oldest] = known.keys();
    if (known.size > most && oldest !== undefined) known.delete(oldest);
  }

  /**
   * True if the token was issued to its party, or was accepted for the same request before: a refusal is then not about
   * the token.
   */
  const isGood = (exchange: Exchange, token: string): boolean =>
    owners.has(hashOf(token)) || granted.has(useOf(exchange, token));

  return {
    learn(exchange) {
      if (!succeeded(exchange) || exchange.endpoint === undefined) return;
      const issued = exchange.endpoint === 'token.create' ? tokenIn(exchange) : undefined;
      if (issued !== undefined) keep(owners, hashOf(issued), exchange.party);
      const sent = tokenSent(exchange);
      const isGuarded = endpoints[exchange.endpoint].roles.length > 0;
      if (isGuarded && sent !== undefined && isWholeJwt(sent))
        keep(granted, useOf(exchange, sent), true);
    },
    labelOf(exchange, knownPart = 'all') {
      const { party, query, request, response } = exchange;
      const token = tokenSent(exchange);
      const owner = token === undefined ? undefined : owners.get(hashOf(token));
      if (owner !== undefined && owner !== party) return `of ${owner}`;
      // The token may be in any other place that is used for tokens (gap `stream.auth`).
      const names = [...Object.keys(request.headers), ...Object.keys(query)];
      if (knownPart === 'all' && !names.some((name) => secretive.test(name))) return 'none';
      const isKnown = knownPart === 'all' && token !== undefined && isGood(exchange, token);
      const isOfToken = response?.status === 401 || !isKnown;
      return isOfToken && isRefusal(exchange) ? 'one that was refused' : 'own';
    },
  };
}
