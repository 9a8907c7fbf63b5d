import { createHmac, createSign, createVerify, generateKeyPairSync } from 'node:crypto';
import type { Defect } from './defects.ts';
import type { Dialect } from './dialect.ts';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

/** Signs and checks a peer's tokens by hand, so that it shares no code with what judges it. */
export function tokenIssuerOf(dialect: Dialect, now: () => number, defect: Defect) {
  const secret = 'a secret that only the peer knows, long enough for HS256';
  const pair =
    dialect.algorithm === 'RS256' ? generateKeyPairSync('rsa', { modulusLength: 2048 }) : undefined;
  const sign = (text: string): string =>
    pair
      ? createSign('RSA-SHA256').update(text).sign(pair.privateKey, 'base64url')
      : createHmac('sha256', secret).update(text).digest('base64url');
  const signed = (text: string, signature: string): boolean =>
    pair
      ? createVerify('RSA-SHA256').update(text).verify(pair.publicKey, signature, 'base64url')
      : sign(text) === signature;

  return {
    secret,
    issue(party: string, role: string): string {
      const exp = Math.floor(now() / 1000) + dialect.tokenSeconds;
      const aud = dialect.audienceList ? ['svc-api', 'other'] : 'svc-api';
      const claims = {
        iss: 'svc',
        aud,
        sub: party,
        canton_party_id: party,
        role,
        exp,
        jti: `${exp}`,
      };
      const text = `${encode({ alg: dialect.algorithm, typ: 'JWT', kid: 'k1' })}.${encode(claims)}`;
      return `${text}.${sign(text)}`;
    },
    /** 'expired', 'bad', or the claims. */
    check(token: string): 'expired' | 'bad' | { sub: string; role: string } {
      const [head = '', body = '', signature = '', ...rest] = token.split('.');
      try {
        const header = JSON.parse(Buffer.from(head, 'base64url').toString());
        const claims = JSON.parse(Buffer.from(body, 'base64url').toString());
        const unsigned = defect === 'unsigned-tokens-pass' && header.alg === 'none';
        if (!unsigned) {
          if (rest.length || header.alg !== dialect.algorithm) return 'bad';
          if (!signed(`${head}.${body}`, signature)) return 'bad';
        }
        const audience = [claims.aud].flat();
        if (claims.iss !== 'svc' || !audience.includes('svc-api')) return 'bad';
        if (!['institution', 'custodian', 'market-maker'].includes(claims.role)) return 'bad';
        if (claims.sub !== claims.canton_party_id || typeof claims.exp !== 'number') return 'bad';
        return claims.exp * 1000 <= now() ? 'expired' : claims;
      } catch {
        return 'bad';
      }
    },
  };
}
