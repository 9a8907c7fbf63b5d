import { createHmac, generateKeyPairSync, sign } from 'node:crypto';
import { createLocalJWKSet, decodeJwt, jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type TestServer, testServer, startMs } from './harness.ts';

const part = (value: unknown): string =>
  Buffer.from(typeof value === 'string' ? value : JSON.stringify(value)).toString('base64url');

describe('the token of part 5', () => {
  let b: TestServer;
  beforeAll(() => {
    b = testServer();
  });
  afterAll(() => b.close());

  it('carries the claims and lasts an hour of the backend’s clock', async () => {
    const { json } = await b.call('sender', 'token.create', { token: null });
    const { token, ...rest } = json.data as unknown as Record<string, unknown>;
    const { partyId } = b.party('sender');
    expect(rest).toEqual({ expires_in: 3600, canton_party_id: partyId, role: 'institution' });
    expect(decodeJwt(token as string)).toEqual({
      sub: partyId,
      canton_party_id: partyId,
      role: 'institution',
      iss: 'svc',
      aud: 'svc-api',
      iat: startMs / 1000,
      exp: startMs / 1000 + 3600,
    });
  });

  it('is refused as expired too where this backend never saw it before', async () => {
    const claims = { ...b.server.tokens.claimsFor(b.party('sender'), startMs - 3_600_001) };
    const token = await b.server.tokens.mint(claims);
    const answer = await b.call('sender', 'identity.read', { token });
    expect([answer.status, answer.json.code]).toEqual([401, 'token_expired']);
  });

  it('is taken once it is valid, though it was refused before', async () => {
    const fresh = testServer();
    const claims = fresh.server.tokens.claimsFor(fresh.party('sender'), startMs);
    const token = await fresh.server.tokens.mint({ ...claims, nbf: startMs / 1000 + 60 });
    const status = async (): Promise<number> =>
      (await fresh.call('sender', 'identity.read', { token })).status;
    expect([await status(), await status()]).toEqual([401, 401]);
    await fresh.pass(60_000);
    expect(await status()).toBe(200);
    await fresh.close();
  });

  it('is refused for the same reason each time it is sent', async () => {
    const fresh = testServer();
    const { tokens } = fresh.server;
    const claims = tokens.claimsFor(fresh.party('sender'), startMs);
    const expired = tokens.claimsFor(fresh.party('sender'), startMs - 3_600_001);
    for (const [code, token] of [
      ['token_invalid', await tokens.mint({ ...claims, iss: 'another' })],
      ['token_expired', await tokens.mint(expired)],
    ] as const) {
      for (const _ of [1, 2, 3]) {
        const answer = await fresh.call('sender', 'identity.read', { token });
        expect([answer.status, answer.json.code]).toEqual([401, code]);
      }
    }
    await fresh.close();
  });

  it('is taken from another minting with the same key', async () => {
    const token = await b.server.tokens.mint(
      b.server.tokens.claimsFor(b.party('sender'), startMs + 5000),
    );
    expect((await b.call('sender', 'identity.read', { token })).status).toBe(200);
  });
});

describe('a token that is not to be trusted', () => {
  let b: TestServer;
  let good: string;
  beforeAll(async () => {
    b = testServer();
    good = await b.token('sender');
  });
  afterAll(() => b.close());

  const claims = (more: Record<string, unknown> = {}) => ({
    ...b.server.tokens.claimsFor(b.party('sender'), startMs),
    ...more,
  });
  const without = (name: string) => {
    const { [name]: _, ...rest } = claims() as Record<string, unknown>;
    return rest;
  };
  const mint = (value: Record<string, unknown>, header = {}) => b.server.tokens.mint(value, header);
  const signedBy = (header: object, value: object, signature: (input: string) => Buffer) => {
    const input = `${part(header)}.${part(value)}`;
    return `${input}.${signature(input).toString('base64url')}`;
  };
  const own = (input: string) => sign(null, Buffer.from(input), b.server.tokens.keys.signing);
  const publicPem = () => b.server.tokens.keys.verifying.export({ type: 'spki', format: 'pem' });
  const publicRaw = () => Buffer.from(String(b.server.tokens.keys.jwks.keys[0]?.x), 'base64url');
  const hmac = (key: string | Buffer) => (input: string) =>
    createHmac('sha256', key).update(input).digest();
  const stranger = generateKeyPairSync('ed25519');

  const attacks: Readonly<Record<string, () => string | Promise<string>>> = {
    'no algorithm': () => `${part({ alg: 'none', typ: 'JWT' })}.${part(claims())}.`,
    'no algorithm, in other letters': () => `${part({ alg: 'nOnE' })}.${part(claims())}.`,
    'no algorithm, with a signature': () =>
      signedBy({ alg: 'none' }, claims(), (input) => own(input)),
    'HS256 with the public key as text': () =>
      signedBy({ alg: 'HS256', typ: 'JWT' }, claims(), hmac(publicPem() as string)),
    'HS256 with the bytes of the public key': () =>
      signedBy({ alg: 'HS256' }, claims(), hmac(publicRaw())),
    'HS256 with nothing': () => signedBy({ alg: 'HS256' }, claims(), hmac('')),
    'another key': () =>
      signedBy({ alg: 'EdDSA' }, claims(), (input) =>
        sign(null, Buffer.from(input), stranger.privateKey),
      ),
    'another key that it brings along': () =>
      signedBy(
        { alg: 'EdDSA', jwk: stranger.publicKey.export({ format: 'jwk' }) },
        claims(),
        (input) => sign(null, Buffer.from(input), stranger.privateKey),
      ),
    'another algorithm': () => {
      const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' });
      return signedBy({ alg: 'ES256' }, claims(), (input) =>
        sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' }),
      );
    },
    'a key id that is not ours': () => mint(claims(), { kid: '../../dev/null' }),
    'a critical header that nobody knows': () =>
      signedBy({ alg: 'EdDSA', crit: ['exp'], exp: 1 }, claims(), own),
    'an unencoded payload': () =>
      signedBy({ alg: 'EdDSA', b64: false, crit: ['b64'] }, claims(), own),
    'another issuer': () => mint(claims({ iss: 'svc2' })),
    'another audience': () => mint(claims({ aud: 'svc' })),
    'audiences without ours': () => mint(claims({ aud: ['a', 'b'] })),
    'an expiry that is text': () => mint(claims({ exp: '9999999999' })),
    'a start in the future': () => mint(claims({ nbf: startMs / 1000 + 60 })),
    'another role': () => mint(claims({ role: 'custodian' })),
    'a role that does not exist': () => mint(claims({ role: 'operator' })),
    'two subjects': () => mint(claims({ sub: b.party('outsider').partyId })),
    'no issuer': () => mint(without('iss')),
    'no audience': () => mint(without('aud')),
    'no expiry': () => mint(without('exp')),
    'no subject': () => mint(without('sub')),
    'no party': () => mint(without('canton_party_id')),
    'no role': () => mint(without('role')),
    'no claim at all': () => mint({}),
    'claims that are no object': () => signedBy({ alg: 'EdDSA' }, [1], own),
    'a token of another party': () => b.token('outsider'),
    'a token of a maker': () => b.token('maker_a'),
    'a token cut short': () => good.slice(0, -4),
    'a token without its signature': () => good.slice(0, good.lastIndexOf('.') + 1),
    'one claim changed': () => {
      const [head, , signature] = good.split('.');
      return `${head}.${part(claims({ exp: startMs / 1000 + 9999 }))}.${signature}`;
    },
    'one bit of the signature changed': () =>
      good.slice(0, -10) + (good.at(-10) === 'A' ? 'B' : 'A') + good.slice(-9),
    'five parts': () => `${good}.a.b`,
    'no token but words': () => 'not-a-token',
    'nothing behind the scheme': () => '',
    'a very long token': () => `${good}${'A'.repeat(9000)}`,
  };

  it.each(Object.keys(attacks))('%s', async (name) => {
    const token = await attacks[name]?.();
    for (let again = 0; again < 2; again += 1) {
      const answer = await b.call('sender', 'identity.read', { token: token ?? '' });
      expect(answer.status).toBe(401);
      expect(answer.json.code).not.toBe('token_expired');
    }
  });

  it('its twin that differs in nothing passes', async () => {
    const twin = signedBy({ alg: 'EdDSA', typ: 'JWT' }, claims(), own);
    expect((await b.call('sender', 'identity.read', { token: twin })).status).toBe(200);
  });
});

describe('published keys', () => {
  const jwksOf = async (b: TestServer) =>
    (await b.send('maker_a', 'GET', '/.well-known/jwks.json', { token: null })).json;

  it.each(['EdDSA', 'ES256', 'RS256'] as const)('verify a token signed with %s', async (alg) => {
    const b = testServer({ answers: { 'token.algorithm': alg } });
    const json = await jwksOf(b);
    const keys = createLocalJWKSet(json as unknown as Parameters<typeof createLocalJWKSet>[0]);
    const token = await b.token('maker_a');
    const { payload } = await jwtVerify(token, keys, { currentDate: new Date(startMs) });
    expect(payload.sub).toBe(b.party('maker_a').partyId);
    expect(JSON.stringify(json.keys)).not.toContain('"d"');
    await b.close();
  });

  it('do not hold a shared secret', async () => {
    const b = testServer({ answers: { 'token.algorithm': 'HS256' } });
    expect(await jwksOf(b)).toEqual({ keys: [] });
    await b.close();
  });
});

describe('answers to gaps of part 5', () => {
  it('takes a token in the address of a stream, and there alone', async () => {
    const b = testServer({ answers: { 'stream.auth': 'header-or-query' } });
    const query = { access_token: await b.token('sender') };
    const stream = await b.listen('sender', { token: null, query });
    expect(stream.ended()).toBe(false);
    stream.abort();
    expect((await b.call('sender', 'order.list', { token: null, query })).status).toBe(401);
    await b.close();
    const strict = testServer();
    const refused = strict.listen('sender', { token: null, query });
    await expect(refused).rejects.toThrow('401');
    await strict.close();
  });
});
