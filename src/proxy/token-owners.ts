import { createHash } from 'node:crypto';
import type { AuthLabel, Exchange } from '../history/records.ts';
import { tokenIn } from '../protocol/token-answer.ts';

/** Knows whose a token is by the answers that it was issued with. */
export interface TokenOwners {
  /** What an answer tells of tokens. */
  learn(exchange: Exchange): void;
  /** Whose token went along with a request that was answered with this status. */
  labelOf(sent: SentWith, status: number | undefined): AuthLabel;
}

export interface SentWith {
  readonly party: string;
  /** Lower-case names. */
  readonly headers: Readonly<Record<string, string>>;
  readonly query: Readonly<Record<string, string>>;
}

/** So many are known at a time, the newest. */
const most = 10_000;

const secretive = /token|cookie|authorization|api[_-]?key/i;
const hashOf = (token: string): string => createHash('sha256').update(token).digest('base64');

export function createTokenOwners(): TokenOwners {
  const owners = new Map<string, string>();

  return {
    learn(exchange) {
      if (exchange.endpoint !== 'token.create') return;
      const token = tokenIn(exchange);
      if (token === undefined) return;
      owners.set(hashOf(token), exchange.party);
      const [oldest] = owners.keys();
      if (owners.size > most && oldest !== undefined) owners.delete(oldest);
    },
    labelOf({ party, headers, query }, status) {
      const { authorization } = headers;
      if (authorization === undefined) {
        // It may be anywhere else where such things are put (gap `stream.auth`).
        const names = [...Object.keys(headers), ...Object.keys(query)];
        if (!names.some((name) => secretive.test(name))) return 'none';
        return status === 401 ? 'one that was refused' : 'own';
      }
      const token = authorization.replace(/^\S+\s+/, '');
      const owner = owners.get(hashOf(token));
      if (owner !== undefined && owner !== party) return `of ${owner}`;
      return status === 401 ? 'one that was refused' : 'own';
    },
  };
}
