import fc from 'fast-check';
import { ownLimits } from '../../history/limits.ts';
import { expect, test } from 'vitest';
import { recordResponse } from './recorded-body.ts';
import { readJson } from './read-json.ts';

const sent = (body: string | Uint8Array, type?: string) => ({
  status: 200,
  headers: type === undefined ? {} : { 'content-type': type },
  bytes: typeof body === 'string' ? new TextEncoder().encode(body) : body,
});

function answer(...from: Parameters<typeof sent>) {
  const recorded = recordResponse(sent(...from));
  if (recorded.limit) throw new Error('there is room for all of it');
  return recorded.response;
}

test('a body beyond the memory budget is not read', () => {
  // Each body differs: a body that was read before costs less.
  let name = 'a';
  const wide = () => {
    name = String.fromCharCode(name.charCodeAt(0) + 1);
    const members = Array.from({ length: 20_000 }, (_, n) => `"${name}ield_${n}":"${n}"`);
    return sent(`{"data":{${members.join(',')}}}`, 'application/json');
  };
  const asked: number[] = [];
  const mayCost = (most: number) => (cost: number) => {
    asked.push(cost);
    return cost <= most ? undefined : 'party.kept_bytes';
  };
  const kept = recordResponse(wide());
  const cost = 'cost' in kept ? kept.cost : 0;
  expect(recordResponse(wide(), mayCost(cost))).toMatchObject({ cost });
  expect(recordResponse(wide(), mayCost(0.9 * cost))).toMatchObject({
    limit: { code: 'limit', limit: 'party.kept_bytes' },
  });
  // The budget is asked first for the text, then for the parsed values.
  const [asItStands = 0, counted = 0] = asked;
  expect(asItStands).toBeGreaterThan(wide().bytes.length);
  expect(counted).toBeGreaterThan(0.95 * cost);
  expect(recordResponse(sent('{"data":{}}', 'application/json'), mayCost(0))).toMatchObject({
    response: { status: 200 },
  });
});

test('an order that was read before costs its text, and no values of its own', () => {
  const orders = Array.from({ length: 100 }, (_, n) => ({
    intent_id: `again ${n}`,
    status: 'PENDING',
  }));
  const costOf = (page: number): number => {
    const read = recordResponse(sent(JSON.stringify({ data: orders, pagination: { page } })));
    return 'cost' in read ? read.cost : 0;
  };
  expect(costOf(1) - costOf(2)).toBeGreaterThan(100 * 3 * 30);
});

test('JSON is parsed, with or without its content type; other bodies are text', () => {
  expect(answer('{"a":1}', 'application/json').body).toEqual({ a: 1 });
  expect(answer('  [1]', 'text/plain').body).toEqual([1]);
  expect(answer('"x"', 'application/problem+json').body).toBe('x');
  expect(answer('OK', 'text/plain')).toMatchObject({ text: 'OK' });
  expect(answer('17', 'text/plain')).not.toHaveProperty('body');
  expect(answer('', 'application/json')).toEqual({
    status: 200,
    headers: { 'content-type': 'application/json' },
  });
});

test('invalid JSON keeps its text, shortened', () => {
  const { text, oddities, body } = answer(`{"a":${'9'.repeat(5_000)}`, 'application/json');
  expect(body).toBeUndefined();
  expect(text?.length).toBe(2_001);
  expect(oddities).toEqual(['not JSON']);
});

test('oddities are noted: keys that stand twice, a byte order mark, bytes that are no UTF-8', () => {
  expect(answer('{"a":{"b":1,"\\u0062":2}}').oddities).toEqual(['an object has a key twice']);
  expect(answer('\uFEFF{"a":1}')).toMatchObject({
    body: { a: 1 },
    oddities: ['the body starts with a byte order mark'],
  });
  expect(answer(Uint8Array.of(0x7b, 0x22, 0xff, 0x22, 0x3a, 0x31, 0x7d)).oddities).toEqual([
    'the body is not UTF-8',
  ]);
  expect(answer('{"a:b":"c:{[","d":[{"a":1},{"a":2}]}').oddities).toBeUndefined();
});

test('nesting beyond all reason is not parsed, which is a limit of ours and no fault of the text', () => {
  const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
  expect(readJson(nested(10_000))).toMatchObject({ limit: { limit: 'json.depth' } });
  expect(readJson(nested(101))).toMatchObject({ limit: { limit: 'json.depth' } });
  expect(readJson(nested(100))).toMatchObject({ ok: true });
  expect(recordResponse(sent(nested(101), 'application/json'))).toMatchObject({
    limit: { code: 'limit', limit: 'json.depth', message: 'JSON nested 101 deep is not read' },
  });
  expect(readJson(`{"a":"${'['.repeat(500)}"}`)).toMatchObject({ ok: true });
});

test('so many values that they would fill the memory are not built', () => {
  expect(readJson(`[${'[],'.repeat(600_000)}0]`)).toMatchObject({
    ok: false,
    limit: { limit: 'json.values', message: 'JSON of more than 200000 values is not read' },
  });
  expect(readJson('{"a":[1,2,{"b":null}]}')).toMatchObject({ ok: true, count: 7 });
});

test('a body with a string or key beyond `text.chars` is not read', () => {
  const most = ownLimits['text.chars'];
  const limit = { limit: { limit: 'text.chars' } };
  for (const around of [
    (text: string) => `"${text}"`,
    (text: string) => `{"data":{"a":"${text}"}}`,
    (text: string) => `{"data":[{"${text}":1}],"meta":{}}`,
    (text: string) => `{"meta":{"request_id":"${text}"},"data":[{"a":1}]}`,
  ]) {
    expect(readJson(around('x'.repeat(most)))).toMatchObject({ ok: true });
    expect(readJson(around('x'.repeat(most + 1)))).toMatchObject(limit);
  }
});

test('any JSON value is read back without oddities', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      const text = JSON.stringify(value);
      expect(readJson(text)).toMatchObject({ ok: true, value: JSON.parse(text), oddities: [] });
    }),
  );
});
