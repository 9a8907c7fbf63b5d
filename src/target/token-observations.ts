import { jwtPart } from '../protocol/jwt.ts';
import { TokenClaims } from '../spec/resources.ts';
import type { GapObservation } from './gap-observations.ts';

/** What the claims of a token show; a history holds tokens masked. `party`: whose it is. */
export function observeToken(token: string, party: string): readonly GapObservation[] {
  const claims = jwtPart(token, 'claims');
  const base = { subject: party, evidence: [] } as const;
  const observations: GapObservation[] = [];
  const alg = jwtPart(token, 'header')?.['alg'];
  if (typeof alg === 'string') observations.push({ gap: 'token.algorithm', answer: alg, ...base });
  if (!claims) return observations;
  const audience = Array.isArray(claims['aud']) ? 'list' : typeof claims['aud'];
  observations.push({ gap: 'token.audience_form', answer: audience, ...base });
  const extra = Object.keys(claims)
    .filter((name) => !Object.hasOwn(TokenClaims.properties, name))
    .sort();
  observations.push({ gap: 'token.extra_claims', answer: extra.join(' ') || 'none', ...base });
  return observations;
}
