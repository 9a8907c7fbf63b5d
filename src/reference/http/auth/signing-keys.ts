import {
  createECDH,
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  type JsonWebKey,
  type KeyObject,
} from 'node:crypto';
import type { Random } from '../../../random/random.ts';
import type { Assignment } from '../../../spec/gaps/index.ts';

export type TokenAlgorithm = Assignment['token.algorithm'];

export interface KeyPair {
  readonly alg: TokenAlgorithm;
  readonly kid: string;
  readonly signing: KeyObject;
  readonly verifying: KeyObject;
  /** RFC 7517; empty if the key is a shared secret. */
  readonly jwks: { readonly keys: readonly JsonWebKey[] };
}

/** RFC 8410: the bytes before the 32 of an Ed25519 private key in PKCS #8. */
const ed25519Head = Buffer.from('302e020100300506032b657004220420', 'hex');

/** Making an RSA key takes a tenth of a second and cannot be seeded, so all worlds of a process share one. */
let rsaKey: KeyObject | undefined;

/** The last key is kept: the worlds of one seed have one key, and making it costs a millisecond. */
let edwardsKey: { readonly secret: string; readonly key: KeyObject } | undefined;

/**
 * A key for a world. The same draws give the same EdDSA, ES256 and HS256 key; signatures of ES256 still differ
 * from run to run, and so does everything about RS256.
 */
export function createKeys(alg: TokenAlgorithm, random: Random, given?: JsonWebKey): KeyPair {
  const kid = `assay-${random.hex(8)}`;
  if (alg === 'HS256') {
    const secret = createSecretKey(Buffer.from(random.hex(64), 'hex'));
    return { alg, kid, signing: secret, verifying: secret, jwks: { keys: [] } };
  }
  const signing = given ? createPrivateKey({ key: given, format: 'jwk' }) : privateKey(alg, random);
  const verifying = createPublicKey(signing);
  const jwk = { ...verifying.export({ format: 'jwk' }), kid, alg, use: 'sig' };
  return { alg, kid, signing, verifying, jwks: { keys: [jwk] } };
}

/** A private key that no seed gives again; undefined if the seed gives it. */
export const unseededKey = (alg: TokenAlgorithm): JsonWebKey | undefined =>
  alg === 'RS256' ? newRsaKey().export({ format: 'jwk' }) : undefined;

function newRsaKey(): KeyObject {
  rsaKey ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  return rsaKey;
}

function privateKey(alg: Exclude<TokenAlgorithm, 'HS256'>, random: Random): KeyObject {
  switch (alg) {
    case 'EdDSA': {
      const secret = random.hex(64);
      if (edwardsKey?.secret !== secret) {
        const der = Buffer.concat([ed25519Head, Buffer.from(secret, 'hex')]);
        edwardsKey = { secret, key: createPrivateKey({ key: der, format: 'der', type: 'pkcs8' }) };
      }
      return edwardsKey.key;
    }
    case 'ES256': {
      // The first digit below f keeps the number below the order of the group.
      const secret = Buffer.from(`1${random.hex(63)}`, 'hex');
      const curve = createECDH('prime256v1');
      curve.setPrivateKey(secret);
      const point = curve.getPublicKey();
      const text = (bytes: Buffer): string => bytes.toString('base64url');
      const [x, y, d] = [text(point.subarray(1, 33)), text(point.subarray(33)), text(secret)];
      return createPrivateKey({ key: { kty: 'EC', crv: 'P-256', x, y, d }, format: 'jwk' });
    }
    case 'RS256':
      return newRsaKey();
  }
}
