import { describe, expect, it } from 'vitest';
import { whileBusy } from './busy-host.ts';
import { checkLaggingPeer } from './check-lagging-peer.ts';
import { combinations, comparingChecks } from './combinations.ts';

describe('a target whose views lag in host time, while its clock is driven', () => {
  it.each(combinations)('is not blamed for $name', async ({ lags }) => {
    expect((await checkLaggingPeer({ lags: lags(), only: comparingChecks })).blamed).toEqual([]);
  });

  it.each(combinations.filter((_, index) => index % 4 === 0))(
    'is not blamed for $name on a busy host',
    async ({ lags }) => {
      const run = () => checkLaggingPeer({ lags: lags(), only: comparingChecks });
      expect((await whileBusy(run)).blamed).toEqual([]);
    },
  );
});
