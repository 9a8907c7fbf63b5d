import { expect, test } from 'vitest';
import { allBehind, blamedWhere, oneBehind } from './eventually-consistent.ts';

// Some checks that read, list and hear of what was done just before; all of them in the long tier.
test.each([
  ['the first institution 900 ms, nobody else', oneBehind(900), ['order.list.complete.sender']],
  [
    'each by another span up to 1050 ms',
    allBehind,
    ['order.life.no-memo', 'rfq.list.left.expired'],
  ],
])('views that are behind the ledger violate nothing: %s', async (_, lags, only) => {
  expect(await blamedWhere(lags, only)).toEqual({ outcome: 'conformant', blamed: [] });
});
