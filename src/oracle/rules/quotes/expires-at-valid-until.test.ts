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

test.each([
  ['cancelled', 9_000, 'EXPIRED', false],
  ['cancelled', 9_000, 'PENDING', true],
  ['cancelled', 9_000, 'REJECTED', true],
  ['accepted', 9_000, 'EXPIRED', false],
  ['accepted', 9_000, 'REJECTED', true],
  // A deadline may take effect late.
  ['accepted', 6_000, 'REJECTED', false],
] as const)(
  'an order is %s %i ms after a quote for five seconds came, which is %s then',
  (by, afterMs, status, isWrong) => {
    const fake = new FakeTarget();
    const order = fake.create();
    const brief = fake.quote('maker_a', order, '0.9', 5_000);
    const other = fake.quote('maker_b', order);
    fake.advance(afterMs);
    if (by === 'cancelled') fake.cancel(order);
    else fake.accept(order, other);
    fake.advance(4_000);
    brief['status'] = status;
    fake.list('sender', 'order.quotes', { params: { intent_id: order.intent_id } });
    expect(outcomes(fake, lapses).includes('fail')).toBe(isWrong);
  },
);
