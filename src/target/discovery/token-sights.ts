import { isObject } from './look.ts';
import { TokenClaims } from '../../spec/resources.ts';
import type { Sight } from './sights.ts';

/** What a token itself tells; a history holds it masked only. `party`: whose it is. */
export function tokenSights(token: string, party: string): readonly Sight[] {
  const [header, claims] = token.split('.').slice(0, 2).map(decoded);
  const base = { subject: party, evidence: [] } as const;
  const sights: Sight[] = [];
  const alg = header?.['alg'];
  if (typeof alg === 'string') sights.push({ gap: 'token.algorithm', answer: alg, ...base });
  if (!claims) return sights;
  const audience = Array.isArray(claims['aud']) ? 'list' : typeof claims['aud'];
  sights.push({ gap: 'token.audience_form', answer: audience, ...base });
  const extra = Object.keys(claims)
    .filter((name) => !(name in TokenClaims.properties))
    .sort();
  sights.push({ gap: 'token.extra_claims', answer: extra.join(' ') || 'none', ...base });
  return sights;
}

function decoded(part: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    return isObject(value) ? value : undefined;
  } catch {
    return undefined;
  }
}
