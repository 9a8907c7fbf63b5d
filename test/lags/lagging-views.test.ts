import { describe, expect, it } from 'vitest';
import { checkLaggingPeer } from './check-lagging-peer.ts';

/** Checks in which every party sees an order end. */
const only = ['rfq.list.left.expired', 'order.views.expired'];

describe('a target with a driven clock whose views lag in host time, each by itself', () => {
  it('is not blamed for lists and streams that are behind its reads', async () => {
    const lags = (_: string, view: string): number =>
      view === 'orders' || view === 'requests' ? 120 : view === 'stream' ? 60 : 0;
    const { blamed } = await checkLaggingPeer({ lags, only });
    expect(blamed).toEqual([]);
  });

  it('is blamed for a lasting error, even if its views lag', async () => {
    const lags = (party: string): number => (party === 'sender' ? 120 : 0);
    const late = { lags, only: ['order.views.expired'], defect: 'expires-late' } as const;
    const { blamed } = await checkLaggingPeer(late);
    expect(blamed.map(({ id }) => id)).toContain('order.state.pending-to-expired');
  });
});
