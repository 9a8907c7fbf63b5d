import { createHmac } from 'node:crypto';
import { describe, expect, it, test } from 'vitest';
import { fieldsOf } from '../../spec/fields.ts';
import { resources } from '../../spec/resources.ts';
import type { Exchange } from '../records.ts';
import { exchange } from '../../../test/support/records.ts';
import { isSecretName } from './names.ts';
import { createSecrets } from './secrets.ts';

const part = (value: object): string => Buffer.from(JSON.stringify(value)).toString('base64url');
const header = part({ alg: 'HS256', typ: 'JWT' });
const signed = (claims: object): string => {
  const text = `${header}.${part(claims)}`;
  return `${text}.${createHmac('sha256', 'k').update(text).digest('base64url')}`;
};
const jwt = signed({ sub: 'Sender::1220abcdef', role: 'institution' });
const [, claims = '', signature = ''] = jwt.split('.');

const knowing = (...some: readonly string[]) => {
  const secrets = createSecrets();
  for (const one of some) secrets.add(one);
  return secrets;
};

const exchangeWith = (body: unknown, more: Partial<Exchange> = {}): Exchange =>
  exchange({ response: { status: 200, headers: {}, body }, ...more });

describe('a secret that is known', () => {
  const opaque = 'op~que/"s&cret"+1';
  const bytes = Buffer.from(opaque);

  test.each([
    ['itself', opaque],
    ['base64', bytes.toString('base64')],
    ['base64 of more', Buffer.from(`user:${opaque}!`).toString('base64')],
    ['base64url', Buffer.from(`x${opaque}`).toString('base64url')],
    ['hex', bytes.toString('hex')],
    ['hex in capitals', bytes.toString('hex').toUpperCase()],
    ['percent signs', encodeURIComponent(opaque)],
    ['percent signs in lower case', encodeURIComponent(opaque).toLowerCase()],
    ['a form', new URLSearchParams({ a: opaque }).toString()],
    ['JSON', JSON.stringify({ a: opaque })],
    ['JSON within JSON', JSON.stringify({ a: JSON.stringify({ b: opaque }) })],
    ['HTML', opaque.replaceAll('&', '&amp;').replaceAll('"', '&quot;')],
  ])('is found as %s', (_, written) => {
    const masked = knowing(opaque).maskText(`before ${written} after`);
    expect(masked).toMatch(/^before .*\*{3}1.* after$/);
    for (const form of [
      opaque,
      's&cret',
      bytes.toString('hex'),
      bytes.subarray(3).toString('base64'),
    ])
      expect(masked).not.toContain(form);
  });

  it('is found in keys, where it was cut, and again by the same mark', () => {
    const secrets = knowing('an-opaque-token-1', 'an-opaque-token-2');
    expect(secrets.maskJson({ 'an-opaque-token-2': ['an-opaque-token-1'] })).toEqual({
      '***2': ['***1'],
    });
    expect(secrets.maskText('it said an-opaque-t… (2000 characters)')).toBe(
      'it said ***1… (2000 characters)',
    );
    expect(secrets.maskText('it said an-opaque-tok... an-opaque-token-2')).toBe(
      'it said ***1... ***2',
    );
  });

  it('is hidden as a word where it is short, and nowhere where it is a word of the interface', () => {
    const secrets = knowing('hunter2', 'abc', 'PENDING', 'receiver_party_id', 'undefined');
    expect(secrets.maskText('hunter2, xhunter2x, abc, PENDING, receiver_party_id')).toBe(
      '***1, xhunter2x, abc, PENDING, receiver_party_id',
    );
    expect(secrets.maskJson({ password: 'abc', pin: 1234 })).toEqual({
      password: '***',
      pin: '***',
    });
  });

  it('leaves ids readable that it holds', () => {
    const id = '7b0f0c1e-9f5c-4a53-8f10-1f6d5d0a2c11';
    expect(knowing(`tok-${id}-1`).maskText(`${id} and tok-${id}-1`)).toBe(`${id} and ***1`);
  });
});

describe('a JWT', () => {
  it('is hidden with its parts, known or not; its header opens nothing', () => {
    const secrets = knowing(jwt);
    expect(secrets.maskText(`${jwt} ${claims} ${signature} ${header}`)).toBe(
      `***1 ***1 ***1 ${header}`,
    );
    expect(secrets.maskText(`${header}.${claims}.AAAA`)).toBe('***');
    expect(createSecrets().maskText(`got ${jwt}!`)).toBe('got ***!');
    expect(createSecrets().maskText(`Bearer ${jwt}`)).toBe('Bearer ***');
  });

  it('leaves its claims as evidence beside the answer that it came with', () => {
    const record = exchangeWith({ data: { token: jwt } }, { endpoint: 'token.create' });
    const masked = createSecrets().maskRecord(record) as Exchange;
    expect(JSON.stringify(masked)).not.toContain(claims);
    expect(masked.claims).toEqual({ sub: 'Sender::1220abcdef', role: 'institution' });
  });
});

test.each([
  ['Authorization was Bearer abc.def', 'Authorization was Bearer ***'],
  ['-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----', '***'],
  ['postgres://me:open@host:5432/db', 'postgres://***@host:5432/db'],
  ['requires a bearer token, as a Bearer <TOKEN>', 'requires a bearer token, as a Bearer <TOKEN>'],
  ['-H "Authorization: Bearer $TOKEN"', '-H "Authorization: Bearer $TOKEN"'],
  ['http://127.0.0.1:9000/bank-a?status=PENDING', 'http://127.0.0.1:9000/bank-a?status=PENDING'],
])('by its form: %s', (text, expected) => {
  const { maskText } = createSecrets();
  expect(maskText(text)).toBe(expected);
  expect(maskText(expected)).toBe(expected);
});

test.each([
  ['/events?token=opaque-1&page=2', '/events?token=***&page=2'],
  ['/events?page_token=7', '/events?page_token=7'],
  ['{"a":{"token":"opaque"}, "to": "x"', '{"a":{"token":"***"}, "to": "x"'],
  ['{"amount":"1.10","memo":"keyed"}', '{"amount":"1.10","memo":"keyed"}'],
])('by a name within a text: %s', (text, expected) => {
  expect(createSecrets().maskJson(text)).toBe(expected);
  expect(createSecrets().maskJson(expected)).toBe(expected);
});

test.each([
  ['sessionToken', true],
  ['X-Api-Key', true],
  ['clientSecret', true],
  ['PRIVATE_KEY', true],
  ['set-cookie', true],
  ['user.password', true],
  ['token_type', false],
  ['next_page_token', false],
  ['monkey', false],
  ['code', false],
])('%s names a secret: %s', (name, is) => {
  expect(isSecretName(name)).toBe(is);
});

it('never hides a field of the document by its name, but for the token', () => {
  const names = Object.values(resources).flatMap((schema) =>
    fieldsOf(schema).map(({ name }) => name),
  );
  expect([...new Set(names)].filter(isSecretName)).toEqual(['token']);
});

it('learns what the answers of a target name as secrets, and not what was sent in place of a token', () => {
  const secrets = createSecrets();
  secrets.learn(
    exchangeWith(
      { session: { sessionToken: 'echoed-later' } },
      {
        response: {
          status: 200,
          headers: { 'set-cookie': 'sid=c00kie-value; Path=/; HttpOnly' },
          body: { session: { sessionToken: 'echoed-later' } },
        },
        request: { method: 'GET', path: '/', headers: { authorization: 'Bearer sent-by-us' } },
      },
    ),
  );
  expect(secrets.maskText('echoed-later c00kie-value sent-by-us')).toBe('***2 ***1 sent-by-us');
});

it('writes headers and parameters of others only where they are known to be harmless', () => {
  const secrets = createSecrets();
  const record = exchangeWith(undefined, {
    by: 'recording',
    query: { status: 'PENDING', ref: 'internal' },
    request: {
      method: 'GET',
      path: '/api/v1/orders?status=PENDING&ref=internal',
      headers: {
        accept: 'application/json',
        'x-tenant': 'acme',
        authorization: 'Bearer 0paque-token',
      },
    },
    response: {
      status: 200,
      headers: { date: 'today', 'x-backend': 'b-7' },
      body: { memo: '0paque-token' },
    },
  });
  secrets.learn(record);
  expect(secrets.maskRecord(record)).toMatchObject({
    query: { status: 'PENDING', ref: '***' },
    request: {
      path: '/api/v1/orders?status=PENDING&ref=***',
      headers: { accept: 'application/json', 'x-tenant': '***', authorization: 'Bearer ***1' },
    },
    response: { headers: { date: 'today', 'x-backend': '***' }, body: { memo: '***1' } },
  });
});

it('shows nothing deeper than a reader or a stack reaches, and keeps everything else', () => {
  const plain = { a: null, b: 1.5, c: '1.10', d: ['x'] };
  expect(createSecrets().maskJson(plain)).toEqual(plain);
  let deep: unknown = 1;
  for (let depth = 0; depth < 10_000; depth += 1) deep = [deep];
  expect(JSON.stringify(createSecrets().maskJson(deep, 32)).length).toBeLessThan(200);
});

it('leaves a history of nothing but harmless records as it is', () => {
  const [echo, plain] = [exchangeWith({ memo: 'it was an-0paque' }), exchangeWith({ memo: 'no' })];
  const shown = knowing('an-0paque').maskHistory({ records: [echo, plain] });
  expect(JSON.stringify(shown)).not.toContain('an-0paque');
  expect(shown.records[1]).toBe(plain);
});

it.each(['","status":"', '":{"data":["', '","receiver_party_id":"'])(
  'a token %j cannot break the JSON it stands in',
  (token) => {
    const secrets = createSecrets();
    secrets.add(token);
    const said = {
      note: 'x',
      status: 'y',
      receiver_party_id: 'z',
      data: ['a'],
      said: { data: ['b'] },
      token,
    };
    expect(JSON.parse(secrets.maskText(JSON.stringify(said)))).toMatchObject({
      note: 'x',
      status: 'y',
    });
    expect(secrets.maskJson(said)).toMatchObject({ token: '***' });
  },
);
