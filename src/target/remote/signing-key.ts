import {
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';
import { CompactSign, importJWK, importPKCS8, type JWK } from 'jose';
import type { SigningKey } from '../../client/contract.ts';
import { signedToken } from '../../client/token-signing.ts';
import type { SigningSection } from '../file/target-file.ts';
import { type Outcome, parseJson } from './helper-http.ts';

/** The key that a target's file offers, ready to sign. `kid`: of the target's own tokens, unless the file names one. */
export async function signingKey(
  section: SigningSection,
  kid?: string,
): Promise<Outcome<{ readonly key: SigningKey }>> {
  const { alg } = section;
  try {
    const key = await keyOf(section);
    const id = section.kid ?? kid;
    const base = { alg, typ: 'JWT', ...(id !== undefined && { kid: id }) };
    const mint: SigningKey['mint'] = (claims, header = {}) =>
      new CompactSign(new TextEncoder().encode(JSON.stringify(claims)))
        .setProtectedHeader({ ...base, ...header })
        .sign(key);
    await mint({ sub: 'assay' });
    const own = keyObjectOf(section);
    const mintNow: SigningKey['mintNow'] = (claims, header) =>
      signedToken({ ...base, ...header }, claims, own);
    const publicKey = publicPem(section);
    return { ok: true, key: { alg, mint, mintNow, ...(publicKey !== undefined && { publicKey }) } };
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    return { ok: false, message: `the private key is of no use for ${alg}: ${reason}` };
  }
}

const jwkOf = (key: string): unknown =>
  key.trimStart().startsWith('{') ? parseJson(key) : undefined;

function publicPem({ alg, key }: SigningSection): string | undefined {
  if (alg.startsWith('HS')) return undefined;
  const jwk = jwkOf(key);
  const pair =
    jwk === undefined
      ? createPublicKey(key)
      : createPublicKey({ key: jwk as JsonWebKey, format: 'jwk' });
  return pair.export({ format: 'pem', type: 'spki' }).toString();
}

async function keyOf({ alg, key }: SigningSection) {
  const jwk = jwkOf(key);
  if (jwk !== undefined) return importJWK(jwk as JWK, alg);
  return alg.startsWith('HS') ? new TextEncoder().encode(key.trim()) : importPKCS8(key, alg);
}

function keyObjectOf({ alg, key }: SigningSection): KeyObject {
  const jwk = jwkOf(key) as JsonWebKey | undefined;
  if (jwk?.kty === 'oct') return createSecretKey(jwk.k ?? '', 'base64url');
  if (jwk !== undefined) return createPrivateKey({ key: jwk, format: 'jwk' });
  return alg.startsWith('HS') ? createSecretKey(key.trim(), 'utf8') : createPrivateKey(key);
}
