import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import { jwtVerify } from 'jose';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { readTargetFile } from '../../src/target/file/read-target-file.ts';
import { closeServer, originOf } from '../support/network/gateway.ts';
import { externalToken } from '../../src/target/remote/open-parties.ts';

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const pem = privateKey.export({ type: 'pkcs8', format: 'pem' }).toString();
const secret = 'a secret: with = and %';
const env = { SECRET: secret };

async function bodyOf(request: IncomingMessage): Promise<URLSearchParams> {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return new URLSearchParams(text);
}

let origin = '';
const seen: string[] = [];

/** By which method the request shows who asks; undefined where it does not. */
async function methodOf(request: IncomingMessage, form: URLSearchParams) {
  const { authorization = '' } = request.headers;
  if (authorization.startsWith('Basic ')) {
    const [id, shown] = Buffer.from(authorization.slice(6), 'base64').toString().split(':');
    const plain = [id, shown].map((one = '') => new URLSearchParams(`x=${one}`).get('x'));
    return plain.join() === `mm 1,${secret}` && !form.has('client_secret') ? 'basic' : undefined;
  }
  const assertion = form.get('client_assertion');
  if (assertion !== null) {
    const audience = `${origin}/token`;
    const { payload } = await jwtVerify(assertion, publicKey, {
      audience,
      requiredClaims: ['jti'],
    });
    return payload.iss === 'mm 1' && payload.sub === 'mm 1' ? 'jwt' : undefined;
  }
  if (form.get('client_id') !== 'mm 1') return undefined;
  return form.get('client_secret') === secret ? 'post' : 'none';
}

const server = createServer((request, response) => {
  const answer = (status: number, body: unknown): void => {
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
  };
  void (async () => {
    if (request.url === '/.well-known/oauth-authorization-server/realm')
      return answer(200, { token_endpoint: `${origin}/token` });
    if (request.url !== '/token') return answer(404, {});
    const form = await bodyOf(request);
    const method = await methodOf(request, form).catch(() => undefined);
    if (method === undefined || form.get('grant_type') !== 'client_credentials')
      return answer(401, { error: 'invalid_client' });
    seen.push(method);
    answer(200, { access_token: `token-by-${method}`, expires_in: 300 });
  })();
});

beforeAll(async () => {
  origin = await originOf(server);
});
afterAll(() => closeServer(server));

async function tokenBy(credentials: string) {
  const text = `name: x
participants:
  maker_a: { role: market-maker, base_url: "http://127.0.0.1:1", token: { client_credentials: ${credentials} } }
`;
  const host = { env, directory: '.', readText: () => pem };
  const read = readTargetFile({ file: 't.yaml', text }, host);
  if (!read.ok) return read.errors.map(({ message }) => message);
  const [party] = read.target.participants;
  if (!party || party.token.kind === 'own') throw new Error('no source was read');
  return externalToken(party.token, '.', party.route);
}

const at = () => `token_url: "${origin}/token", client_id: "mm 1"`;

describe('client credentials', () => {
  it.each([
    ['in the form', 'client_secret: { env: SECRET }', 'post'],
    ['in a header', 'method: client_secret_basic, client_secret: { env: SECRET }', 'basic'],
    ['by an assertion that a key signs', 'key: { file: key.pem }', 'jwt'],
    ['by the certificate of the connection', 'method: tls_client_auth', 'none'],
  ])('are shown %s', async (_, how, method) => {
    expect(await tokenBy(`{ ${at()}, ${how} }`)).toEqual({
      ok: true,
      token: `token-by-${method}`,
      expiresInSeconds: 300,
    });
    expect(seen.at(-1)).toBe(method);
  });

  it('go to the token endpoint that the issuer names', async () => {
    const given = `{ issuer: "${origin}/realm", client_id: "mm 1", client_secret: { env: SECRET } }`;
    expect(await tokenBy(given)).toMatchObject({ ok: true, token: 'token-by-post' });
  });

  it('say what the server answered, and no secret', async () => {
    const wrong = await tokenBy(
      `{ token_url: "${origin}/token", client_id: other, client_secret: { env: SECRET } }`,
    );
    expect(wrong).toEqual({
      ok: false,
      message: `${origin}/token answered 401 without an access_token (invalid_client)`,
    });
    const nowhere = await tokenBy(
      `{ issuer: "${origin}/other", client_id: x, method: tls_client_auth }`,
    );
    expect(nowhere).toMatchObject({
      ok: false,
      message: expect.stringContaining('404 without a token_endpoint'),
    });
  });

  it.each([
    ['{ client_id: x, client_secret: { env: SECRET } }', 'client_credentials have one address'],
    [
      '{ token_url: "http://h/t", issuer: "http://h", client_id: x }',
      'client_credentials have one address',
    ],
    ['{ token_url: "http://h/t", client_id: x }', 'client_secret_post needs a client_secret'],
    [
      '{ token_url: "http://h/t", client_id: x, method: private_key_jwt }',
      'private_key_jwt needs a key',
    ],
  ])('of %s are no way to get a token', async (given, message) => {
    expect(await tokenBy(given)).toContain(message);
  });
});
