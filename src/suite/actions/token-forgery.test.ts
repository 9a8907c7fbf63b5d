import { createPublicKey, verify } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { changedAnywhere, forged, forgeries, malformed, decodeToken } from './token-forgery.ts';

const encode = (value: unknown): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const decode = (part = ''): Record<string, unknown> =>
  JSON.parse(Buffer.from(part, 'base64url').toString()) as Record<string, unknown>;
const claims = { sub: 'A::1', exp: 1_800_000_000 };
const tokenOf = (alg: string): string =>
  `${encode({ alg, typ: 'JWT', kid: 'k' })}.${encode(claims)}.c2lnbmF0dXJlLW9mLXNvbWVib2R5`;

const partsOf = (alg: string) => {
  const parts = decodeToken(tokenOf(alg));
  if (!parts) throw new Error('no token');
  return parts;
};

describe('taking a token apart', () => {
  it.each(['', 'word', 'a.b.c', `${tokenOf('HS256')}.x`, `${encode(1)}.${encode(2)}.x`])(
    'takes %j for none',
    (text) => expect(decodeToken(text)).toBeUndefined(),
  );
});

describe('forgeries', () => {
  it.each(['HS256', 'ES256', 'EdDSA'])('never repeat a token of %s itself', (alg) => {
    const made = forgeries.flatMap((kind) => forged(kind, partsOf(alg)));
    const texts = [...made, ...malformed(partsOf(alg))].map(({ token }) => token);
    expect(texts).not.toContain(tokenOf(alg));
    expect(new Set(texts).size).toBe(texts.length);
  });

  it.each([0, 1, 2])('change each part in five places, each time other bytes (%i)', (drawn) => {
    const token = partsOf('HS256');
    const made = changedAnywhere(token, { below: (bound) => Math.min(drawn, bound - 1) });
    expect(made.length).toBe(15);
    for (const [index, part] of token.parts.entries()) {
      const others = made.map((one) => one.token?.split('.')[index] ?? '');
      const changed = others.filter((other) => other !== part);
      expect(changed.length).toBe(5);
      for (const other of changed) {
        expect(other.length).toBe(part.length);
        expect(Buffer.from(other, 'base64url')).not.toEqual(Buffer.from(part, 'base64url'));
      }
    }
  });

  it('alter claims under the old signature', () => {
    const [altered] = forged('altered', partsOf('HS256'));
    const [, payload, signature] = altered?.token?.split('.') ?? [];
    expect(decode(payload)).toEqual({ ...claims, exp: claims.exp + 600 });
    expect(signature).toBe(tokenOf('HS256').split('.')[2]);
  });

  it('fill a signature of the same length with zeros', () => {
    const blank = forged('forged', partsOf('ES256')).at(-1)?.token?.split('.')[2] ?? '';
    const good = Buffer.from(tokenOf('ES256').split('.')[2] ?? '', 'base64url');
    expect(Buffer.from(blank, 'base64url')).toEqual(Buffer.alloc(good.length));
  });

  it.each(['HS256', 'ES256', 'EdDSA'])('name a key that a target of %s does not know', (alg) => {
    const kids = forged('foreign key', partsOf(alg)).map(
      ({ token }) => decode(token?.split('.')[0])['kid'],
    );
    expect(kids).toContain('assay');
  });

  it('name the algorithm none in several spellings', () => {
    const heads = forged('unsigned', partsOf('RS256')).map(({ token }) =>
      decode(token?.split('.')[0]),
    );
    expect(heads.map(({ alg }) => String(alg).toLowerCase())).toEqual(heads.map(() => 'none'));
  });

  it.each([
    ['RS256', 'sha256'],
    ['ES256', 'sha256'],
    ['ES384', 'sha384'],
    ['EdDSA', null],
    ['HS256', null],
  ] as const)('sign %s validly, but with the wrong key', (alg, digest) => {
    const token = forged('foreign key', partsOf(alg)).at(-1)?.token ?? '';
    const [head = '', payload = '', signature = ''] = token.split('.');
    const { jwk } = decode(head) as { readonly jwk: Record<string, string> };
    const key = createPublicKey({ key: jwk, format: 'jwk' });
    const bytes = Buffer.from(`${head}.${payload}`);
    const given = Buffer.from(signature, 'base64url');
    expect(verify(digest, bytes, { key, dsaEncoding: 'ieee-p1363' }, given)).toBe(true);
    expect(decode(payload)).toEqual(claims);
  });
});
