import { expect, it } from 'vitest';
import { fakeTarget, runAsCheck } from '../engine/testing.ts';
import { isByUndeclaredMaker } from './declared-parties.ts';

it('knows the quotes of makers that the target file does not declare', async () => {
  const target = fakeTarget({ answer: () => ({ status: 200 }), parties: ['sender', 'maker_a'] });
  await runAsCheck(target, async (t) => {
    const quoteOf = (maker: string) => ({ quote_id: 'q', market_maker_party_id: maker });
    expect(isByUndeclaredMaker(t, quoteOf('Elsewhere::0a'))).toBe(true);
    expect(isByUndeclaredMaker(t, quoteOf(t.party('maker_a').partyId))).toBe(false);
    expect(isByUndeclaredMaker(t, { quote_id: 'q' })).toBe(false);
    await t.party('sender').call('order.list');
  });
});
