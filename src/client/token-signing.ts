import { createHmac, type KeyObject, sign } from 'node:crypto';
import { shownText } from '../protocol/json.ts';
import { jwtPart } from '../protocol/jwt.ts';
import type { SigningKey } from './contract.ts';

type Fields = Readonly<Record<string, unknown>>;

const encode = (value: unknown): string =>
  Buffer.from(JSON.stringify(value), 'utf8').toString('base64url');

/**
 * Signs with a private key, or with a secret for HS algorithms, by one of the algorithms that a target file may name.
 * Does not use jose, which is asynchronous: this takes no turn of simulated time.
 */
export function signedToken(header: Fields, claims: Fields, key: KeyObject): string {
  const alg = shownText(header['alg']);
  const digest = `sha${/\d{3}$/.exec(alg)?.[0] ?? '512'}`;
  const text = `${encode(header)}.${encode(claims)}`;
  if (alg.startsWith('HS')) {
    return `${text}.${createHmac(digest, key).update(text).digest('base64url')}`;
  }
  const bytes = Buffer.from(text);
  if (!/^[REP]S/.test(alg)) return `${text}.${sign(null, bytes, key).toString('base64url')}`;
  const padding = alg.startsWith('PS') ? { padding: 6, saltLength: -1 } : {};
  const options = { key, dsaEncoding: 'ieee-p1363' as const, ...padding };
  return `${text}.${sign(digest, bytes, options).toString('base64url')}`;
}

/** A signing key that is offered but not at hand: signing fails with `why`. */
export const keyElsewhere = (alg: string, why: string): SigningKey => ({
  alg,
  mint: () => Promise.reject(new Error(why)),
  mintNow() {
    throw new Error(why);
  },
});

/**
 * A token with the same claims, except some changed ones, signed anew. A value of `null` removes a claim. Undefined if
 * the token is no JWT.
 */
export function signedOtherwise(
  token: string,
  changes: unknown,
  sign: SigningKey['mintNow'],
): string | undefined {
  const claims = jwtPart(token, 'claims');
  if (!claims || typeof changes !== 'object' || changes === null) return undefined;
  const stated = Object.entries({ ...claims, ...changes }).filter(([, value]) => value !== null);
  return sign(Object.fromEntries(stated), { kid: jwtPart(token, 'header')?.['kid'] });
}
