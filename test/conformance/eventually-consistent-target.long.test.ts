import { expect, test } from 'vitest';
import { allBehind, blamedWhere } from './eventually-consistent.ts';

test('views that are behind the ledger, each by another span, violate nothing', async () => {
  expect(await blamedWhere(allBehind)).toEqual({ outcome: 'conformant', blamed: [] });
});
