import { expect, test } from 'vitest';
import { maskJson, maskText } from './mask.ts';

const claims = 'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJhIn0';
const jwt = `${claims}.c2lnbmF0dXJl`;

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
