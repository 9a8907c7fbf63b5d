import { createSecretKey, generateKeyPairSync, verify } from 'node:crypto';
import { expect, it } from 'vitest';
import { jwtPart } from '../protocol/jwt.ts';
import { signedOtherwise, signedToken } from './token-signing.ts';

const { privateKey, publicKey } = generateKeyPairSync('ed25519');
const good = signedToken({ alg: 'EdDSA', kid: 'k' }, { sub: 'a', aud: 'b', exp: 1 }, privateKey);
const sign = (claims: object, header?: object): string =>
  signedToken({ alg: 'EdDSA', ...header }, { ...claims }, privateKey);

it('signs the claims of a token with some replaced, by the same key', () => {
  const other = signedOtherwise(good, { aud: 'x', exp: null }, sign) ?? '';
  expect(jwtPart(other, 'claims')).toEqual({ sub: 'a', aud: 'x' });
  expect(jwtPart(other, 'header')).toEqual({ alg: 'EdDSA', kid: 'k' });
  const [header, claims, signature = ''] = other.split('.');
  const bytes = Buffer.from(`${header}.${claims}`);
  expect(verify(null, bytes, publicKey, Buffer.from(signature, 'base64url'))).toBe(true);
});

it('returns nothing for a text that is no JWT', () => {
  expect(signedOtherwise('token', { aud: 'x' }, sign)).toBeUndefined();
});

it('signs with a shared secret', () => {
  const token = signedToken({ alg: 'HS256' }, {}, createSecretKey('secret', 'utf8'));
  expect(token).toBe('eyJhbGciOiJIUzI1NiJ9.e30.XmNK3GpH3Ys_7wsYBfq4C3M6goz71I7dTgUkuIa5lyQ');
});
