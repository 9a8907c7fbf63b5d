import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../history/records.ts';
import type { EndpointName } from '../../spec/endpoints.ts';
import { exchange as made } from '../../../test/support/records.ts';
import { observeQuotes } from './quotes.ts';

const intentId = '00000000-0000-4000-8000-000000000001';
const startMs = Date.parse('2026-03-02T09:00:00.000Z');

/** One exchange on the only order, `n` milliseconds into the history. */
const exchange = (
  n: number,
  endpoint: EndpointName,
  body: unknown,
  status: number,
  data: unknown,
): Exchange =>
  made({
    endpoint,
    party: endpoint === 'quote.submit' ? 'maker_a' : 'sender',
    params: { intent_id: intentId },
    body,
    status,
    data,
    at: startMs + n,
  });

/** The order as a target creates it whose clock is ahead of ours. */
const createdAhead = (aheadMs: number): Exchange =>
  exchange(1, 'order.create', {}, 201, {
    intent_id: intentId,
    status: 'PENDING',
    created_at: new Date(startMs + aheadMs).toISOString(),
    target_amount: '100.00',
    expires_at: new Date(startMs + 300_000 + aheadMs).toISOString(),
  });
const created = createdAhead(0);
const submitted = (n: number, amount: string, status: number): Exchange =>
  exchange(
    n,
    'quote.submit',
    { fx_rate: '1.25', target_amount: amount, valid_until: '2026-03-02T09:01:00.000Z' },
    status,
    status === 201 ? { quote_id: '00000000-0000-4000-8000-000000000002' } : undefined,
  );

const meaning = (...submissions: readonly Exchange[]) =>
  [...observeQuotes([created, ...submissions])]
    .filter(({ gap }) => gap === 'quote.target_amount' || gap === 'quote.rate_orientation')
    .map(({ answer }) => answer);

describe('the meaning of a submitted amount', () => {
  it.each([
    ['80.00', 'target-per-source'],
    ['125.00', 'source-per-target'],
  ])('is the source where %s is taken in place of the whole', (amount, orientation) => {
    const taken = [submitted(2, '100.00', 422), submitted(3, amount, 201)];
    expect(meaning(...taken)).toEqual(['source', orientation]);
  });

  it('is not told by a part that is taken beside the whole, nor by one that is no counter amount', () => {
    expect(meaning(submitted(2, '80.00', 201))).toEqual([]);
    expect(meaning(submitted(2, '100.00', 422), submitted(3, '90.00', 201))).toEqual([]);
  });
});

describe('the longest validity', () => {
  const quoted = (n: number, validMs: number, status: number, aheadMs: number): Exchange => {
    const at = startMs + n + aheadMs;
    const body = {
      fx_rate: '1',
      target_amount: '100.00',
      valid_until: new Date(at + validMs).toISOString(),
    };
    const submitted_at = new Date(at).toISOString();
    return exchange(n, 'quote.submit', body, status, status === 201 ? { submitted_at } : undefined);
  };
  const bound = (aheadMs: number, ...validities: readonly number[]) => {
    const last = validities.length - 1;
    const tries = validities.map((ms, nth) =>
      quoted(nth + 2, ms, nth === last ? 201 : 422, aheadMs),
    );
    return [...observeQuotes([createdAhead(aheadMs), ...tries])]
      .filter(({ gap }) => gap === 'quote.max_validity')
      .map(({ answer }) => answer);
  };

  it.each([
    ['25s', [240_000, 25_000]],
    ['10s', [240_000, 25_000, 10_000]],
    ['7.5s', [240_000, 25_000, 10_000, 7_600]],
    ['5.5s', [240_000, 25_000, 10_000, 7_600, 5_600]],
    ['2s', [240_000, 25_000, 10_000, 7_600, 5_600, 1_900]],
  ])('is told as %s, whatever clock the target has', (answer, validities) => {
    expect(bound(0, ...validities)).toEqual([answer]);
    expect(bound(5_400_000, ...validities)).toEqual([answer]);
    expect(bound(-5_400_000, ...validities)).toEqual([answer]);
  });
});
