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
  [12_000, 'PENDING', true],
  [3_000, 'PENDING', false],
  [12_000, 'REJECTED', false],
  [3_000, 'EXPIRED', false],
  [12_000, 'EXPIRED', false],
] as const)(
  'a quote of a cancelled order, read %i ms later as %s, outlived its valid_until: %s',
  (readAfterMs, status, found) => {
    const said = outcomes(quoteOfCancelledOrder(readAfterMs, status), lapses);
    expect(said.includes('fail')).toBe(found);
  },
);
