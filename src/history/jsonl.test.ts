import { isSecretName } from './secrets/names.ts';
import { createSecrets } from './secrets/secrets.ts';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { exchange as made, frame as madeFrame } from '../../test/support/records.ts';
import { bytesOfLines, readHistory, writeHistory } from './jsonl.ts';
import type { Exchange, Frame, StreamEnd } from './records.ts';

const jwt = 'eyJhbGciOiJFZERTQSJ9.eyJzdWIiOiJCYW5rOjoxIn0.c2lnbmF0dXJlLW9mLWl0';

const exchange: Exchange = made({
  id: 'token.claims#1',
  by: 'token.claims',
  endpoint: 'token.create',
  auth: 'none',
  request: { method: 'POST', path: '/auth/token', headers: { authorization: `Bearer ${jwt}` } },
  response: {
    status: 200,
    headers: { 'set-cookie': 'sid=abc' },
    body: { data: { token: jwt, expires_in: 3600 }, deep: [{ note: `see ${jwt}!` }] },
  },
});

const frame: Frame = madeFrame({ data: {} });

const end: StreamEnd = {
  kind: 'end',
  stream: 's#1',
  by: 's',
  party: 'sender',
  at: 30,
  cause: 'target',
};

test('what is written is read back, in a stable order of keys', () => {
  const text = writeHistory([exchange, frame, end], createSecrets());
  expect(text.startsWith('{"kind":"exchange","id":"token.claims#1","by":"token.claims"')).toBe(
    true,
  );
  const reading = readHistory(text);
  expect(reading.ok && reading.records.map(({ kind }) => kind)).toEqual([
    'exchange',
    'frame',
    'end',
  ]);
  expect(reading.ok && writeHistory(reading.records, createSecrets())).toBe(text);
  const turned = Object.fromEntries(Object.entries(frame).reverse()) as unknown as Frame;
  expect(writeHistory([turned], createSecrets())).toBe(writeHistory([frame], createSecrets()));
});

test('no usable token is written, its claims are, and the record itself stays as it was', () => {
  const text = writeHistory([exchange], createSecrets());
  expect(text).not.toContain('c2lnbmF0dXJl');
  expect(text).not.toContain('sid=abc');
  expect(text).toContain('"claims":{"sub":"Bank::1"}');
  expect(JSON.stringify(exchange)).toContain(jwt);
});

test.each([
  ['{', 'line 2'],
  ['{"kind":"exchange"', 'JSON'],
  ['[]', 'expected an object'],
  ['{"kind":"wish"}', 'unknown kind "wish"'],
  [JSON.stringify({ ...frame, received: '20' }), 'received is not a time in milliseconds'],
  [JSON.stringify({ ...exchange, response: undefined }), 'expected a response or an error'],
  [JSON.stringify({ ...exchange, response: {} }), 'response.status is not an HTTP status'],
])('a line that is no record is named: %s', (line, message) => {
  const reading = readHistory(`${JSON.stringify(end)}\n${line}\n`);
  expect(reading.ok).toBe(false);
  if (reading.ok) return;
  expect(reading.line).toBe(2);
  expect(`line ${reading.line}: ${reading.message}`).toContain(message);
});

/** Of what a name says that it is secret nothing is written. */
const namesSecret = (value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  Object.entries(value).some(([name, inner]) => isSecretName(name) || namesSecret(inner));
const withoutSecrets = (json: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> =>
  json.filter((value) => !namesSecret(value));

test('any JSON payload without secrets survives the way to the file and back', () => {
  fc.assert(
    fc.property(withoutSecrets(fc.jsonValue({ maxDepth: 3 })), (data) => {
      const reading = readHistory(writeHistory([{ ...frame, data }], createSecrets()));
      expect(reading.ok && reading.records[0]).toEqual({
        ...frame,
        data: JSON.parse(JSON.stringify(data)),
      });
    }),
  );
});

test('lists and events whose items come again are written as they are', () => {
  const items = fc.array(
    fc.oneof(fc.constant({ id: 'a', note: '\u0000items\u0000' }), withoutSecrets(fc.jsonValue())),
  );
  fc.assert(
    fc.property(items, withoutSecrets(fc.jsonValue()), (data, other) => {
      const list: Exchange = {
        ...exchange,
        request: { method: 'GET', path: '/orders', headers: {} },
        response: { status: 200, headers: {}, body: { other, data, meta: {} } },
      };
      const records = [list, { ...frame, data: data[0] ?? null }, list];
      const lines = writeHistory(records, createSecrets()).trimEnd().split('\n');
      expect(lines.map((line) => JSON.parse(line))).toEqual(
        records.map((record) => JSON.parse(JSON.stringify(record))),
      );
    }),
  );
});

test('a secret in one item of a list is hidden, and the other items stand', () => {
  const list: Exchange = {
    ...exchange,
    request: { method: 'GET', path: '/orders', headers: {} },
    response: {
      status: 200,
      headers: {},
      body: { data: [{ memo: 'plain' }, { memo: 'an opaque-secret' }, { memo: jwt }] },
    },
  };
  const secrets = createSecrets();
  secrets.add('opaque-secret');
  const text = writeHistory([list, list], secrets);
  expect(text).not.toContain('opaque-secret');
  expect(text).not.toContain('c2lnbmF0dXJlLW9mLWl0');
  expect(text.match(/"memo":"plain"/g)).toHaveLength(2);
});

test('lines of any length and script come out in whole lines, the same as encoded at once', () => {
  const million = 1024 * 1024;
  const lines = ['', 'a'.repeat(million / 3), '€'.repeat(1_000), 'é', '😀'.repeat(million), 'b'];
  const pieces = Array.from(bytesOfLines([...lines, ...lines]), (piece) => piece.slice());
  const text = Buffer.concat(pieces).toString('utf8');
  expect(text === `${[...lines, ...lines].join('\n')}\n`).toBe(true);
  expect(pieces.filter((piece) => piece.at(-1) !== '\n'.charCodeAt(0))).toHaveLength(0);
});
