import { describe, expect, it } from 'vitest';
import { exchange } from '../../../test/support/records.ts';
import { observeAmounts } from './quotes.ts';

/** The formats observed from a source amount that was computed from 1000 at this rate. */
function formatOf(fx_rate: string, source_amount: string): readonly string[] {
  const terms = { fx_rate, target_amount: '1000.00' };
  const params = { intent_id: 'o' };
  const submitted = exchange({
    endpoint: 'quote.submit',
    party: 'maker_a',
    params,
    body: terms,
    data: { quote_id: 'q' },
  });
  const quote = { ...terms, quote_id: 'q', source_amount };
  const listed = exchange({ endpoint: 'order.quotes', params, data: [quote] });
  return [...observeAmounts([submitted, listed], [submitted])].flatMap(({ gap, answer }) =>
    gap === 'money.format' ? [answer] : [],
  );
}

describe('how a computed amount is written', () => {
  it.each([
    ['0.7', '1428.5714285715', '10-decimals-trimmed'],
    ['0.7', '1428.57142858', '8-decimals-zeros'],
    ['0.8', '1250.00000000', '8-decimals-zeros'],
    ['0.7', '1428.58', 'minor-unit-up'],
  ])('at the rate %s as %s is %s', (rate, amount, format) => {
    expect(formatOf(rate, amount)).toEqual([format]);
  });

  it('stays open if eight decimals may be ten with trailing zeros', () => {
    expect(formatOf('0.1001', '9990.00999001')).toEqual([]);
  });
});
