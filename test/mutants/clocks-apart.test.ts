import { expect, test } from 'vitest';
import { amissWhere } from './clocks-apart.ts';

// Some checks of deadlines, of tokens that expire and of what is stamped with a time, where a clock in the wrong would
// show; all checks in the long tier.
test.each([
  [-45_000, ['order.expiry.one-quote', 'limit.token-lifetime.*']],
  [45_000, ['order.life.no-memo', 'auth.expired.*']],
])('a clock that stands %d ms ahead is neither blamed nor in the way', async (aheadMs, only) => {
  expect(await amissWhere(aheadMs, only)).toEqual([]);
});
