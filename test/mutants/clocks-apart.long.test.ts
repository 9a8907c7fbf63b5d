import { expect, test } from 'vitest';
import { amissWhere } from './clocks-apart.ts';

test.each([-45_000, 45_000])(
  'a clock that stands %d ms ahead is neither blamed nor in the way of any check',
  async (aheadMs) => {
    expect(await amissWhere(aheadMs)).toEqual([]);
  },
);
