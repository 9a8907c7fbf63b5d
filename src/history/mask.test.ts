import { expect, test } from 'vitest';
import type { Exchange } from './records.ts';
import { maskJson, maskText, mayHoldSecrets, withoutSecrets } from './mask.ts';

const claims = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0';
const jwt = `${claims}.c2lnbmF0dXJl`;

const exchangeWith = (body: unknown): Exchange => ({
  kind: 'exchange',
  id: 'a#1',
  by: 'a',
  party: 'sender',
  role: 'institution',
  sent: 0,
  received: 1,
  params: {},
  query: {},
  auth: 'own',
  request: { method: 'GET', path: '/whoami', headers: {} },
  response: { status: 200, headers: {}, body },
});

test.each([
  [`/events?access_token=${jwt}&page=2`, `/events?access_token=${claims}.***&page=2`],
  ['/events?token=opaque-1', '/events?token=***'],
  ['/events?page_token=7', '/events?page_token=7'],
  [`{"a":{"token":"opaque"}, "to": "${jwt}"`, `{"a":{"token":"***"}, "to": "${claims}.***"`],
  ['Authorization was Bearer abc.def', 'Authorization was Bearer ***'],
  ['-----BEGIN PRIVATE KEY-----\nMIIB\n-----END PRIVATE KEY-----', '***'],
  ['{"amount":"1.10","memo":"keyed"}', '{"amount":"1.10","memo":"keyed"}'],
])('%s', (text, expected) => {
  expect(maskText(text)).toBe(expected);
  expect(maskText(expected)).toBe(expected);
});

test('an exact secret is hidden wherever it is echoed', () => {
  expect(maskText('you sent s3cr3t to us', ['s3cr3t', ''])).toBe('you sent *** to us');
});

test('fields are masked at any depth; other values keep their types', () => {
  const value = { list: [{ Token: 'abc', expires_in: 3600 }], client_secret: 'x', token: null };
  expect(maskJson(value)).toEqual({
    list: [{ Token: '***', expires_in: 3600 }],
    client_secret: '***',
    token: null,
  });
});

test('what is shown of a history hides exact secrets, and leaves everything else as it is', () => {
  const echo = exchangeWith({ memo: 'it was s3cr3t' });
  const plain = exchangeWith({ memo: 'nothing' });
  const shown = withoutSecrets({ records: [echo, plain] }, ['s3cr3t', jwt]);
  expect(JSON.stringify(shown)).not.toContain('s3cr3t');
  expect(shown.records[1]).toBe(plain);
});

test.each([
  ['Bearer ***', false],
  ['***', false],
  ['Bearer abc', true],
  ['Basic dTpw', true],
  ['Bearer *** abc', true],
])('a request whose authorization is shown as "%s" is looked at more closely: %s', (shown, is) => {
  const line = JSON.stringify({ headers: { authorization: shown } });
  expect(mayHoldSecrets([])(line)).toBe(is);
  expect(JSON.stringify(maskJson(JSON.parse(line))) === line).toBe(!is);
});
