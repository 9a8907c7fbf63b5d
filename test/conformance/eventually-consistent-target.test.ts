import { expect, test } from 'vitest';
import { allBehind, blamedWhere, oneBehind } from './eventually-consistent.ts';

/** Checks that read, list and hear of what was done just before; all of them in the long tier. */
const only = ['order.life.*', 'order.list.*', 'rfq.list.*'];

test.each([
  ['the first institution 900 ms, nobody else', oneBehind(900)],
  ['each by another span up to 1050 ms', allBehind],
])('views that are behind the ledger violate nothing: %s', async (_, lags) => {
  expect(await blamedWhere(lags, only)).toEqual({ outcome: 'conformant', blamed: [] });
});
