import { describe, expect, it } from 'vitest';
import type { Exchange } from '../../history/records.ts';
import type { EndpointName } from '../../spec/endpoints.ts';
import { exchange as made } from '../../../test/support/records.ts';
import { observeExpiry } from './expiry-reason.ts';

const startMs = Date.parse('2026-03-02T09:00:00.000Z');

const exchange = (
  n: number,
  endpoint: EndpointName,
  intentId: string,
  given: { readonly body?: unknown; readonly data?: unknown } = {},
): Exchange =>
  made({
    id: `check#${n}`,
    party: endpoint === 'quote.submit' ? 'maker_a' : 'sender',
    endpoint,
    params: endpoint === 'order.create' ? {} : { intent_id: intentId },
    at: startMs + n,
    ...given,
  });

let orders = 0;
let calls = 0;
/**
 * An order with a maximum of 100 that expired with a reason, after quotes at par for these amounts.
 */
function expired(reason: string | undefined, ...amounts: readonly string[]): readonly Exchange[] {
  orders += 1;
  const id = `00000000-0000-4000-8000-${String(orders).padStart(12, '0')}`;
  const order = { intent_id: id, created_at: '2026-03-02T09:00:00.000Z', source_amount_max: '100' };
  const at = () => (calls += 1);
  return [
    exchange(at(), 'order.create', id, { data: { ...order, status: 'PENDING' } }),
    ...amounts.map((target_amount) =>
      exchange(at(), 'quote.submit', id, { body: { fx_rate: '1.0', target_amount } }),
    ),
    exchange(at(), 'order.read', id, {
      data: {
        ...order,
        status: 'EXPIRED',
        ...(reason !== undefined && { failure_reason: reason }),
      },
    }),
  ];
}

const answersTo = (...histories: readonly (readonly Exchange[])[]): readonly string[] => [
  ...new Set([...observeExpiry(histories.flat())].map(({ answer }) => answer)),
];

describe('the reason that orders expire with', () => {
  it('is one answer even if it depends on the quotes', () => {
    const none = expired('NO_QUOTE');
    const within = expired(undefined, '99', '101');
    expect(answersTo(none, within, expired('SLIPPAGE', '101'))).toEqual(['by-quotes']);
    expect(answersTo(none, within, expired(undefined, '101'))).toEqual(['no-quote-only']);
    expect(answersTo(expired(undefined), within)).toEqual(['unset']);
    expect(answersTo(none, expired('SLIPPAGE', '99'))).toEqual([
      'NO_QUOTE with no quote, SLIPPAGE with quotes',
    ]);
  });

  it('is a list if orders of one kind have different reasons', () => {
    const all = [expired(undefined), expired('NO_QUOTE'), expired(undefined, '99')];
    expect(answersTo(...all)).toEqual(['unset', 'NO_QUOTE with no quote']);
  });

  it('is not told where a maker that nobody here acts as quotes as well', () => {
    const none = expired(undefined);
    const id = none.at(-1)?.params.intent_id ?? '';
    const list = exchange(1_000, 'order.quotes', id, { data: [{ quote_id: 'of-a-stranger' }] });
    expect(answersTo(none)).toEqual(['unset with no quote']);
    expect(answersTo(none, [list])).toEqual([]);
  });

  it('ignores orders of others, cancelled orders, and other ends', () => {
    const [, ...seenOnly] = expired('NO_QUOTE');
    const own = expired('SLIPPAGE');
    const id = own.at(-1)?.params.intent_id ?? '';
    const cancelled = [...own, exchange(1_000, 'order.cancel', id)];
    expect(answersTo(seenOnly, cancelled, expired('OPERATOR_WITHDRAWN'))).toEqual([]);
  });
});
