import { expect, test } from 'vitest';
import { allBehind, blamedWhere, oneBehind } from './eventually-consistent.ts';

test.each([
  ['the first institution 900 ms, nobody else', oneBehind(900)],
  ['each by another span up to 1050 ms', allBehind],
])('views that are behind the ledger violate nothing: %s', async (_, lags) => {
  expect(await blamedWhere(lags)).toEqual({ outcome: 'conformant', blamed: [] });
});
