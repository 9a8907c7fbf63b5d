import { expect, it } from 'vitest';
import type { Exchange } from '../../history/records.ts';
import type { EndpointName } from '../../spec/endpoints.ts';
import { exchange as made } from '../../../test/support/records.ts';
import { exchangesOf } from './exchange-index.ts';
import { observeSelection } from './quote-selection.ts';

const intentId = '00000000-0000-4000-8000-000000000001';
const startMs = Date.parse('2026-03-02T09:00:00.000Z');

/** One exchange about the only order, `n` milliseconds into the history. */
const exchange = (n: number, endpoint: EndpointName, party: string, data: unknown): Exchange =>
  made({ endpoint, party, data, params: { intent_id: intentId }, at: startMs + n });

const valid_until = new Date(startMs + 60_000).toISOString();

/** A cancelled order: its quotes end as REJECTED, or as EXPIRED if their maker replaced them. */
function ofCancelled(makers: readonly string[]): readonly string[] {
  const quotes = makers.map((maker, n) => {
    const isReplaced = makers.lastIndexOf(maker) !== n;
    return { quote_id: `quote ${n}`, valid_until, status: isReplaced ? 'EXPIRED' : 'REJECTED' };
  });
  const order = { intent_id: intentId, status: 'FAILED', created_at: '', expires_at: '' };
  const history = [
    exchange(1, 'order.create', 'sender', { ...order, status: 'PENDING' }),
    ...makers.map((maker, n) =>
      exchange(2 + n, 'quote.submit', maker, { quote_id: `quote ${n}`, status: 'PENDING' }),
    ),
    exchange(8, 'order.cancel', 'sender', order),
    exchange(9, 'order.quotes', 'sender', quotes),
  ];
  return [...observeSelection(exchangesOf({ records: history }))]
    .filter(({ gap }) => gap === 'quote.orphans')
    .map(({ answer }) => answer);
}

it('tells what became of the quotes of a cancelled order', () => {
  expect(ofCancelled(['maker_a', 'maker_b'])).toEqual(['REJECTED', 'REJECTED']);
});

it('tells nothing by a quote that its maker had replaced before', () => {
  expect(ofCancelled(['maker_a', 'maker_b', 'maker_a'])).toEqual(['REJECTED', 'REJECTED']);
});
