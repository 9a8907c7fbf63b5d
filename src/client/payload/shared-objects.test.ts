import fc from 'fast-check';
import { expect, test } from 'vitest';
import { readJson } from './read-json.ts';

const valueOf = (text: string): unknown => {
  const reading = readJson(text);
  return reading.ok ? reading.value : 'reason' in reading && reading.reason;
};
const itemsOf = (text: string): readonly unknown[] =>
  (valueOf(text) as { readonly data: readonly unknown[] }).data;

test('items that a list shows again are the same objects, whatever is around them', () => {
  const one = itemsOf('{"data":[{"id":"1","s":"a"},{"id":"2"}],"meta":{"n":1}}');
  const other = itemsOf('{ "meta" : 2 , "data" : [ {"id":"2"} , {"id":"1","s":"a"} ] }');
  expect(other[0]).toBe(one[1]);
  expect(other[1]).toBe(one[0]);
  expect(valueOf('{"id":"2"}')).toBe(one[1]);
});

test('an item that changed is another, though it begins alike', () => {
  const text = (state: string): string =>
    `{"data":[{"intent_id":"0f9619ff-8b86-4d01-b42d-00cf4fc964ff","status":"${state}"}]}`;
  const states = ['PENDING', 'QUOTED', 'PENDING', 'QUOTED'].map((state) => itemsOf(text(state))[0]);
  expect(states[0]).not.toBe(states[1]);
  expect(states).toEqual(
    ['PENDING', 'QUOTED', 'PENDING', 'QUOTED'].map((status) => expect.objectContaining({ status })),
  );
});

const twice = ['an object has a key twice'];

test.each([
  ['{"data":[{"a":1}],"data":0}', twice],
  ['{"data":{"a":1},"data":0}', twice],
  ['{"data":[{"a":1,"a":2}]}', twice],
  ['{"a\\"data":{"b":1},"data":0}', []],
  ['{"x":{"data":{"a":1}},"data":0}', []],
  ['{"x":"\\"data\\":[{","data":[{"a":1}]}', []],
  ['{"data":[{"a":1},2,{"a":1}]}', []],
  ['{"data":{"__proto__":{"a":1}},"__proto__":{"data":[{}]}}', []],
  ['{"a":1} ', []],
])('%s is read as it stands', (text, oddities) => {
  // Twice: what is known by then must not change the answer.
  for (const _ of [1, 2]) {
    expect(readJson(text)).toMatchObject({ ok: true, oddities });
    expect(JSON.stringify(valueOf(text))).toBe(JSON.stringify(JSON.parse(text)));
  }
});

test.each([
  '{"data":[{"a":1},]}',
  '{"data":[{"a":1}',
  '{"data":[{"a":1}]]}',
  '["data",{"a":1}]}',
  '["data":{"a":1}]',
  '{"a":1}x',
])('%s is no JSON', (text) => {
  for (const _ of [1, 2]) expect(valueOf(text)).toBe('not JSON');
});

test('any envelope is read as JSON is, however often and however it is spaced', () => {
  const items = fc.array(fc.oneof(fc.dictionary(fc.string(), fc.jsonValue()), fc.jsonValue()));
  fc.assert(
    fc.property(items, fc.jsonValue(), fc.nat(3), (data, meta, space) => {
      const text = JSON.stringify({ data, meta }, undefined, space);
      for (const _ of [1, 2]) {
        expect(readJson(text)).toMatchObject({ ok: true, oddities: [] });
        expect(JSON.stringify(valueOf(text))).toBe(JSON.stringify(JSON.parse(text)));
      }
    }),
    { numRuns: 50 },
  );
});

test('as many values are counted in what is known as in what is not', () => {
  const text = '{"data":[{"a":[1,2]},{"b":null},{"a":[1,2]}],"meta":{"n":1}}';
  const counts = [readJson(text), readJson(text)].map((reading) => reading.ok && reading.count);
  expect(counts[0]).toBe(counts[1]);
  const wrapped = readJson(`[${text}]`);
  expect(wrapped.ok && wrapped.count - 1).toBe(counts[0]);
});
