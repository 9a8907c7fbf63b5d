import { createServer } from 'node:http';
import { exportJWK, generateKeyPair, type JWK, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { assertVerifies, type IssuedToken } from '../../conformance/5-authentication/tokens.ts';
import type { CheckContext } from '../../src/suite/engine/check.ts';
import { openIssuerKeys } from '../../src/target/remote/issuer-keys.ts';
import { closeServer, originOf } from '../support/network/gateway.ts';
import { targetOf } from '../support/network/served-reference.ts';

const [own, other] = await Promise.all([generateKeyPair('ES256'), generateKeyPair('ES256')]);
const published = async ({ publicKey }: typeof own, kid: string): Promise<JWK> => ({
  ...(await exportJWK(publicKey)),
  kid,
});
const signed = ({ privateKey }: typeof own, kid?: string): Promise<string> =>
  new SignJWT({ sub: 'Bank::1' })
    .setProtectedHeader({ alg: 'ES256', ...(kid !== undefined && { kid }) })
    .sign(privateKey);

let keys: readonly JWK[] = [];
let fetched = 0;
let origin = '';
const server = createServer((request, response) => {
  const known: Record<string, unknown> = {
    '/keys': { keys },
    '/realm/.well-known/openid-configuration': { jwks_uri: `${origin}/keys` },
  };
  const body = known[request.url ?? ''];
  fetched += 1;
  response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body ?? {}));
});
beforeAll(async () => {
  origin = await originOf(server);
});
afterAll(() => closeServer(server));
beforeEach(async () => {
  keys = [await published(own, 'k1')];
  fetched = 0;
});

function participants(ofAll: string, ofMaker = '') {
  const text = `name: with an issuer
participants:
  sender:  { role: institution,  base_url: "http://127.0.0.1:1/a" }
  maker_a: { role: market-maker, base_url: "http://127.0.0.1:1/b"${ofMaker} }
${ofAll}`;
  return targetOf(text).participants;
}

const open = async (ofAll: string, ofMaker?: string) => {
  const { verify, problems } = await openIssuerKeys(participants(ofAll, ofMaker));
  expect(problems).toEqual([]);
  return (party: 'sender' | 'maker_a', token: string) => verify?.(party, token);
};

const unsigned = (header: object): string =>
  [header, { sub: 'Bank::1' }]
    .map((part) => Buffer.from(JSON.stringify(part)).toString('base64url'))
    .join('.');

it('verifies the tokens of all parties with the keys of jwks_uri, or of the issuer', async () => {
  for (const named of [`jwks_uri: "${origin}/keys"`, `issuer: "${origin}/realm"`]) {
    const verify = await open(named);
    expect(await verify('sender', await signed(own, 'k1'))).toEqual({ kind: 'verified' });
    expect(await verify('maker_a', await signed(own))).toEqual({ kind: 'verified' });
  }
});

it.each([
  ['of another key', () => signed(other, 'k1'), 'no published key verifies it (ES256, kid k1)'],
  [
    'of an unknown key',
    () => signed(other, 'k9'),
    'the issuer publishes no key for it (ES256, kid k9)',
  ],
  [
    'with a shared secret',
    async () => `${unsigned({ alg: 'HS256' })}.c2ln`,
    'the issuer publishes no key for it (HS256)',
  ],
  [
    'without a signature',
    async () => `${unsigned({ alg: 'none' })}.`,
    'the issuer publishes no key for it (none)',
  ],
])('refuses a token %s, after the keys were fetched once more', async (_, token, reason) => {
  const verify = await open(`jwks_uri: "${origin}/keys"`);
  expect(await verify('sender', await token())).toEqual({ kind: 'refused', reason });
  expect(fetched).toBe(2);
});

it('says nothing of what is no JWT, of an unknown algorithm, and of a party whose keys nobody names', async () => {
  const verify = await open('', `, jwks_uri: "${origin}/keys"`);
  expect(await verify('sender', await signed(other))).toEqual({ kind: 'unknown' });
  expect(await verify('maker_a', 'opaque')).toEqual({ kind: 'unknown' });
  const odd = `${unsigned({ alg: 'X999' })}.c2ln`;
  expect(await verify('maker_a', odd)).toEqual({ kind: 'unknown' });
});

it('takes keys that the issuer has changed since, and any of several without a name', async () => {
  const verify = await open(`jwks_uri: "${origin}/keys"`);
  keys = [await published(own, 'k1'), await published(other, 'k2')];
  expect(await verify('sender', await signed(other, 'k2'))).toEqual({ kind: 'verified' });
  expect(await verify('sender', await signed(other))).toEqual({ kind: 'verified' });
});

it('ends a run whose keys cannot be had, once for all parties', async () => {
  const { problems } = await openIssuerKeys(participants(`jwks_uri: "${origin}/none"`));
  expect(new Set(problems.map(({ shared }) => shared?.error)).size).toBe(1);
  expect(problems[0]).toMatchObject({
    kind: 'misconfigured',
    place: { line: 5, col: 11 },
    message: `no keys to verify tokens with: ${origin}/none answered 404 without a JSON Web Key Set`,
  });
});

it('is declared once in a target file: two addresses are refused', () => {
  expect(() => participants(`jwks_uri: "${origin}/keys"\nissuer: "${origin}"`)).toThrow(
    'the keys of an issuer have one address',
  );
});

it('makes a finding that names the token and the reason; without keys there is none', async () => {
  const assert = vi.fn<CheckContext['assert']>();
  const token = await signed(other, 'k1');
  const issued = { exchange: { id: 'auth.self.sender#1' }, credential: { token } };
  const verify = await open(`jwks_uri: "${origin}/keys"`);
  for (const target of [{ verify }, {}]) {
    const t = { target, assert } as unknown as CheckContext;
    await assertVerifies(t, 'sender', issued as IssuedToken);
  }
  expect(assert.mock.calls).toEqual([
    [
      'token.token.is-jwt',
      false,
      {
        message: 'the signature of a token that sender was issued does not verify',
        must: { words: "a signature by one of the issuer's published keys" },
        actual: 'no published key verifies it (ES256, kid k1)',
        seen: [issued.exchange],
      },
    ],
  ]);
});
