import { expect, test } from 'vitest';
import { amissWhere } from './clocks-apart.ts';

test('a clock that stands ahead is neither blamed nor in the way of any check', async () => {
  expect(await amissWhere(45_000)).toEqual([]);
});
