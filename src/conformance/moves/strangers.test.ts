import { expect, it } from 'vitest';
import { fakeTarget, tryOut } from '../testing.ts';
import { isOfStranger } from './strangers.ts';

it('knows the quotes of makers that the target file does not declare', async () => {
  const target = fakeTarget({ answer: () => ({ status: 200 }), parties: ['sender', 'maker_a'] });
  await tryOut(target, async (trial) => {
    const quoteOf = (maker: string) => ({ quote_id: 'q', market_maker_party_id: maker });
    expect(isOfStranger(trial, quoteOf('Elsewhere::0a'))).toBe(true);
    expect(isOfStranger(trial, quoteOf(trial.party('maker_a').partyId))).toBe(false);
    expect(isOfStranger(trial, { quote_id: 'q' })).toBe(false);
    await trial.party('sender').call('order.list');
  });
});
