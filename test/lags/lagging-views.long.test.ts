import { expect, it } from 'vitest';
import { checkLaggingPeer } from './check-lagging-peer.ts';
import { combinations, comparingChecks } from './combinations.ts';

// Lists and reads lag differently. `npm run lags` tries all combinations, and the whole suite.
const some = [9].flatMap((index) => combinations[index] ?? []);

it.each(some)('a target whose clock is driven is not blamed for $name', async ({ lags }) => {
  expect((await checkLaggingPeer({ lags: lags(), only: comparingChecks })).blamed).toEqual([]);
});
