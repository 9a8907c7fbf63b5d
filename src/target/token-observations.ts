import { isObject } from '../protocol/json.ts';
import { TokenClaims } from '../spec/resources.ts';
import type { GapObservation } from './gap-observations.ts';

/** What the claims of a token show; a history holds tokens masked. `party`: whose it is. */
export function observeToken(token: string, party: string): readonly GapObservation[] {
  const [header, claims] = token.split('.').slice(0, 2).map(decoded);
  const base = { subject: party, evidence: [] } as const;
  const observations: GapObservation[] = [];
  const alg = header?.['alg'];
  if (typeof alg === 'string') observations.push({ gap: 'token.algorithm', answer: alg, ...base });
  if (!claims) return observations;
  const audience = Array.isArray(claims['aud']) ? 'list' : typeof claims['aud'];
  observations.push({ gap: 'token.audience_form', answer: audience, ...base });
  const extra = Object.keys(claims)
    .filter((name) => !(name in TokenClaims.properties))
    .sort();
  observations.push({ gap: 'token.extra_claims', answer: extra.join(' ') || 'none', ...base });
  return observations;
}

function decoded(part: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
