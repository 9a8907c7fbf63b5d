import { expect, test } from 'vitest';
import { outcomes, FakeTarget } from '../../../../test/support/oracle/findings-and-edits.ts';

const lapses = 'quote.state.pending-to-expired';

/** A quote that is valid for five seconds, on an order that is cancelled before. */
function quoteOfCancelledOrder(readAfterMs: number, status: 'PENDING' | 'REJECTED' | 'EXPIRED') {
  const fake = new FakeTarget();
  const order = fake.create();
  const quote = fake.quote('maker_a', order, '0.9', 5_000);
  fake.cancel(order);
  fake.advance(readAfterMs);
  quote['status'] = status;
  fake.list('sender', 'order.quotes', { params: { intent_id: order.intent_id } });
  return fake;
}

test.each([
  [12_000, 'PENDING'],
  [3_000, 'PENDING'],
  [12_000, 'REJECTED'],
  [3_000, 'EXPIRED'],
  [12_000, 'EXPIRED'],
] as const)(
  'no rule says what becomes of a quote whose order was cancelled: %i ms later it may be %s',
  (readAfterMs, status) => {
    expect(outcomes(quoteOfCancelledOrder(readAfterMs, status), lapses)).not.toContain('fail');
  },
);
