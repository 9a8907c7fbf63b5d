import { expect, test } from 'vitest';
import { amissWhere } from './clocks-apart.ts';

// Some checks of deadlines, expired tokens and timestamps, which a wrong clock would break. The
// long tier runs all checks.
test.each([
  [-45_000, ['order.expiry.one-quote', 'limit.token-lifetime.*']],
  [45_000, ['order.life.no-memo', 'auth.expired.*']],
])('a clock that stands %d ms ahead is neither blamed nor in the way', async (aheadMs, only) => {
  expect(await amissWhere(aheadMs, only)).toEqual([]);
});
