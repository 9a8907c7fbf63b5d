import { expect, test } from 'vitest';
import { amissWhere } from './clocks-apart.ts';

/** Checks of deadlines, of tokens that expire and of what is stamped with a time; all of them in the long tier. */
const only = ['order.expiry.*', 'order.life.no-memo', 'auth.expired.*', 'limit.*'];

test.each([-45_000, 45_000])(
  'a clock that stands %d ms ahead is neither blamed nor in the way',
  async (aheadMs) => {
    expect(await amissWhere(aheadMs, only)).toEqual([]);
  },
  120_000,
);
