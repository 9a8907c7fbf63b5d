import { describe, expect, it } from 'vitest';
import { exchange } from '../../../test/support/records.ts';
import type { Exchange } from '../../history/records.ts';
import { observeAmounts } from './quotes.ts';

/** The formats observed from a source amount that was computed at this rate, from 1000 if nothing else is given. */
const formatOf = (fx_rate: string, source_amount: string): readonly string[] =>
  formatsOf([[fx_rate, source_amount, '1000.00']]);

function formatsOf(
  amounts: readonly (readonly [rate: string, source: string, target: string])[],
): readonly string[] {
  const calls = amounts.map(listedAt);
  const [all, submitted] = [calls.flat(), calls.flatMap(([one]) => one ?? [])];
  return [...observeAmounts(all, submitted)].flatMap(({ gap, answer }) =>
    gap === 'money.format' ? [answer] : [],
  );
}

function listedAt(
  [fx_rate, source_amount, target_amount]: readonly [string, string, string],
  index: number,
): Exchange[] {
  const terms = { fx_rate, target_amount };
  const params = { intent_id: 'o' };
  const submitted = exchange({
    endpoint: 'quote.submit',
    party: 'maker_a',
    params,
    body: terms,
    data: { quote_id: `q${index}` },
  });
  const quote = { ...terms, quote_id: `q${index}`, source_amount };
  return [submitted, exchange({ endpoint: 'order.quotes', params, data: [quote] })];
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

  // 1000.10 costs 1250.125 at 0.8, and 1000 costs 1428.571... at 0.7.
  it.each([
    ['up', '1250.13', '1428.58', 'minor-unit-up'],
    ['half-up', '1250.13', '1428.57', 'minor-unit-half-up'],
    ['half-even', '1250.12', '1428.57', 'minor-unit-half-even'],
  ])('has one name if it is rounded %s', (_, half, below, format) => {
    const found = formatsOf([
      ['0.8', half, '1000.10'],
      ['0.7', below, '1000.00'],
    ]);
    expect(found).toEqual([format, format]);
  });

  it('stays open if eight decimals may be ten with trailing zeros', () => {
    expect(formatOf('0.1001', '9990.00999001')).toEqual([]);
  });
});
