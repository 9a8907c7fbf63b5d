import { expect, it } from 'vitest';
import { markedJson, stretchesOf } from './marked-json.ts';

const marked = (value: unknown, path: string, actual?: unknown): string[] =>
  markedJson(value, { path, actual }).flatMap(({ text, isMarked }) =>
    isMarked ? [text.trim()] : [],
  );

it('marks the value at a path, among several items the one with the wrong value', () => {
  const body = { data: [{ memo: 'right' }, { memo: 'wrong' }], memo: 'wrong' };
  expect(marked(body, 'data[].memo', 'wrong')).toEqual(['"memo": "wrong"']);
  expect(marked({ data: { a: { b: 1 } } }, 'data.a', undefined)).toEqual(['"a": {']);
});

it('marks only items of the given orders', () => {
  const body = { data: ['A', 'b'].map((id) => ({ intent_id: id, status: 'PENDING' })) };
  const lines = markedJson(body, {
    path: 'data[].status',
    actual: 'PENDING',
    orders: new Set(['a']),
  });
  expect(lines.flatMap(({ isMarked }, place) => (isMarked ? [place] : []))).toEqual([4]);
});

it('marks the object that lacks a member', () => {
  expect(marked({ data: [{ memo: '' }, { id: 7 }] }, 'data[].memo').slice(-1)).toEqual(['{']);
  expect(marked({ meta: {} }, 'data')).toEqual(['{']);
});

it('writes JSON that reads back', () => {
  const value = { a: [1, { b: null }, []], c: {}, d: 'x\n"' };
  const text = markedJson(value, { path: undefined, actual: undefined });
  expect(JSON.parse(text.map((line) => line.text).join('\n'))).toEqual(value);
});

it('folds what is far from the mark and cuts nothing', () => {
  const body = { data: Array.from({ length: 300 }, (_, n) => ({ n })) };
  const lines = markedJson(body, { path: 'data[].n', actual: 150 });
  const stretches = stretchesOf(lines);
  expect(stretches.flatMap((one) => one.lines)).toEqual(lines);
  expect(stretches.map(({ isFolded }) => isFolded)).toEqual([true, false, true]);
  const open = stretches.filter(({ isFolded }) => !isFolded).flatMap((one) => one.lines);
  expect(open.some(({ isMarked }) => isMarked)).toBe(true);
  expect(open.length).toBeLessThan(20);
});

it('cuts values that nest too deep', () => {
  let deep: unknown = 1;
  for (let n = 0; n < 5_000; n += 1) deep = [deep];
  expect(markedJson(deep, { path: undefined, actual: undefined }).length).toBeLessThan(60);
});
