import { textOf } from '../../../protocol/json.ts';
import { defineRule } from '../../findings.ts';

/** 4.4. */
export const makerSeesOwnQuotesOnly = defineRule({
  id: 'access.makers',
  title: 'A market maker lists its own quotes, and no others',
  requirements: ['quote.list.own-only', 'rfq.quotes.own-only'],
  judge(view, findings) {
    const submissions = view.endpoint('quote.submit').filter(({ ok }) => ok);
    for (const { value, via, source, party, open } of view.snapshotsOf('own-quote')) {
      if (via !== 'quote.list' && via !== 'rfq.quotes') continue;
      const quote = view.quotes.get(textOf(value, 'quote_id') ?? '');
      if (!quote) continue;
      const { maker } = quote;
      const [owner, self] = [textOf(value, 'market_maker_party_id'), view.partyIdOf(party)];
      if (maker === undefined && owner === undefined) continue;
      const isForeign =
        (maker !== undefined && maker !== party) ||
        (owner !== undefined && self !== undefined && owner !== self);
      // Without another maker's quote there is nothing that it could be shown by mistake.
      const others = submissions.find((call) => call.party !== party);
      if (!isForeign && (!others || others.close >= open)) continue;
      findings.assert(`${via}.own-only`, !isForeign, source, () => ({
        message: `${party} was shown another maker's quote`,
        must: { words: `quotes of ${party} only` },
        actual: owner ?? maker,
        evidence: [source],
      }));
    }
  },
});
