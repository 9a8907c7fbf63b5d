import {
  createPrivateKey,
  createPublicKey,
  createSecretKey,
  generateKeyPairSync,
  type KeyObject,
} from 'node:crypto';
import type { Credential } from '../../client/contract.ts';
import { signedToken } from '../../client/token-signing.ts';
import type { Fields } from '../../protocol/answers.ts';
import { shownText } from '../../protocol/json.ts';
import { jwtPart } from '../../protocol/jwt.ts';
import type { CheckContext } from '../engine/check.ts';

/** A JWT taken apart: its header and claims decoded, its parts as they came. */
export interface DecodedToken {
  readonly header: Fields;
  readonly claims: Fields;
  readonly parts: readonly [header: string, payload: string, signature: string];
}

const encode = (value: unknown): string =>
  Buffer.from(JSON.stringify(value), 'utf8').toString('base64url');

/** Undefined if it is no signed JWT: then nothing can be forged from it. */
export function decodeToken(token: string): DecodedToken | undefined {
  const [first = '', second = '', third = '', ...more] = token.split('.');
  const [header, claims] = [jwtPart(token, 'header'), jwtPart(token, 'claims')];
  if (!header || !claims || third === '' || more.length > 0) return undefined;
  return { header, claims, parts: [first, second, third] };
}

/** A key that nobody trusts, always the same: a forgery needs no secret. Made once, because making it takes long. */
let edwards: KeyObject | undefined;
const ed25519 = (): KeyObject => {
  edwards ??= createPrivateKey({
    key: Buffer.concat([
      Buffer.from('302e020100300506032b657004220420', 'hex'),
      Buffer.alloc(32, 7),
    ]),
    format: 'der',
    type: 'pkcs8',
  });
  return edwards;
};

const curves: Readonly<Record<string, string>> = { ES256: 'P-256', ES384: 'P-384', ES512: 'P-521' };
let rsa: KeyObject | undefined;

function keyFor(alg: string): KeyObject {
  const curve = curves[alg];
  if (curve) return generateKeyPairSync('ec', { namedCurve: curve }).privateKey;
  if (!/^[RP]S/.test(alg)) return ed25519();
  rsa ??= generateKeyPairSync('rsa', { modulusLength: 2048 }).privateKey;
  return rsa;
}

/** Signs by the algorithm that the header names, with a key of our own. */
function signed(header: Fields, claims: Fields, secret: string, offered?: 'with its key'): string {
  const alg = shownText(header['alg']);
  if (alg.startsWith('HS')) return signedToken(header, claims, createSecretKey(secret, 'utf8'));
  const key = keyFor(alg);
  const shown = offered
    ? { ...header, jwk: createPublicKey(key).export({ format: 'jwk' }) }
    : header;
  return signedToken(shown, claims, key);
}

/** Kinds of forgery that a forger without the key can make from a good token. */
export const forgeries = ['forged', 'altered', 'unsigned', 'foreign key'] as const;
export type ForgeryKind = (typeof forgeries)[number];

/** Replaces one base64url character in the middle of a signature, because every bit counts there. */
function flipped(signature: string): string {
  const at = Math.floor(signature.length / 2);
  return `${signature.slice(0, at)}${signature[at] === 'A' ? 'B' : 'A'}${signature.slice(at + 1)}`;
}

const longer = (claims: Fields): Fields => ({
  ...claims,
  exp: typeof claims['exp'] === 'number' ? claims['exp'] + 600 : claims['exp'],
});

/** A signature of zeros with the length of the good one: some verifiers take that for a point at infinity. */
const blank = (signature: string): string =>
  Buffer.alloc(Buffer.from(signature, 'base64url').length).toString('base64url');

/**
 * All forgeries of one kind, the simplest first. Their claims would be valid, so that nothing but their signature is
 * wrong.
 */
export function forged(kind: ForgeryKind, token: DecodedToken): readonly Credential[] {
  const { header, claims, parts } = token;
  const [first, second, third] = parts;
  const as = (label: string, text: string): Credential => ({ label, token: text });
  switch (kind) {
    case 'forged':
      return [
        as('forged signature', `${first}.${second}.${flipped(third)}`),
        as('forged by an empty signature', `${first}.${second}.`),
        as('forged by half a signature', `${first}.${second}.${third.slice(0, third.length >> 1)}`),
        as('forged by a signature of zeros', `${first}.${second}.${blank(third)}`),
      ];
    case 'altered':
      return [
        as('altered expiry', `${first}.${encode(longer(claims))}.${third}`),
        as('altered by one more claim', `${first}.${encode({ ...claims, assay: 1 })}.${third}`),
      ];
    case 'unsigned':
      return ['none', 'None', 'NONE'].flatMap((alg) => [
        as(`unsigned (${alg})`, `${encode({ ...header, alg })}.${second}.`),
        as(
          `unsigned (${alg}) with a signature`,
          `${encode({ ...header, alg })}.${second}.${third}`,
        ),
      ]);
    case 'foreign key':
      return [
        as('foreign key', signed(header, claims, 'a secret that nobody shares, of forty bytes')),
        as(
          'foreign key of an unknown name',
          signed({ ...header, kid: 'assay' }, claims, 'another secret that nobody shares'),
        ),
        as('foreign key of HS256', signed({ ...header, alg: 'HS256' }, claims, 'secret')),
        as('foreign key without any bytes', signed({ ...header, alg: 'HS256' }, claims, '')),
        as(
          'foreign key that the token offers',
          signed(offering(header), claims, '', 'with its key'),
        ),
      ];
  }
}

/**
 * A token signed with a public key as if it were a shared secret: valid for a backend that takes the algorithm from
 * the token's header and verifies with its only key.
 */
export const publicKeyAsSecret = (
  { header, claims }: DecodedToken,
  publicKey: string,
): Credential => ({
  label: 'foreign key of HS256, the public one',
  token: signed({ ...header, alg: 'HS256' }, claims, publicKey),
});

/** A header of an algorithm whose public key fits into it. */
const offering = (header: Fields): Fields => {
  const { kid: _, ...rest } = header;
  return shownText(header['alg']).startsWith('HS') ? { ...rest, alg: 'EdDSA' } : rest;
};

/** Credentials that are no JWT at all. */
export function malformed({ parts }: DecodedToken): readonly Credential[] {
  const [first, second, third] = parts;
  return [
    ['malformed: one word', 'token'],
    // Clients without a token send these by mistake.
    ['malformed: the word undefined', 'undefined'],
    ['malformed: the word null', 'null'],
    ['malformed: nothing', ''],
    ['malformed: three words', 'not.a.token'],
    ['malformed: two parts', `${first}.${second}`],
    ['malformed: four parts', `${first}.${second}.${third}.${third}`],
    ['malformed: a claims part cut short', `${first}.${second.slice(0, -5)}.${third}`],
    ['malformed: dots', '..'],
  ].map(([label = '', token = '']) => ({ label, token }));
}

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/** Another character in one place: its first bit is turned, which counts in the last place of a part as well. */
function withOther(text: string, at: number): string {
  const other = alphabet[alphabet.indexOf(text[at] ?? '') ^ 32] ?? 'A';
  return `${text.slice(0, at)}${other}${text.slice(at + 1)}`;
}

/** A token with one character of it changed: at the beginning and the end of each part, and somewhere in each third. */
export function changedAnywhere(
  { parts }: DecodedToken,
  random: Pick<CheckContext['random'], 'below'>,
): readonly Credential[] {
  return (['header', 'claims', 'signature'] as const).flatMap((part, index) => {
    const text = parts[index] ?? '';
    const third = Math.max(1, Math.floor(text.length / 3));
    const places = [
      ['at the beginning', 0],
      ['in the first third', random.below(third)],
      ['in the second third', third + random.below(third)],
      ['in the last third', 2 * third + random.below(third)],
      ['at the end', text.length - 1],
    ] as const;
    return places.map(([where, at]) => ({
      label: `${part === 'signature' ? 'forged' : 'altered'} ${where} of its ${part}`,
      token: parts.map((one, n) => (n === index ? withOther(one, at) : one)).join('.'),
    }));
  });
}

/** No token at all. */
export const noToken: Credential = { label: 'none' };
