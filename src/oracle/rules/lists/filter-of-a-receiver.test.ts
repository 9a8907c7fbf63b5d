import { expect, test } from 'vitest';
import { FakeTarget, outcomes } from '../../../../test/support/oracle/findings-and-edits.ts';

const filter = 'order.list.custodian-status-filter';
const none = { page: 1, page_size: 20, total_items: 0, total_pages: 0 };

/** A cancelled order that the receiver's custodian has on its list, if it looks, and not under its status. */
function leftOut(looksAtAll: boolean): FakeTarget {
  const fake = new FakeTarget();
  const order = fake.create();
  fake.cancel(order);
  fake.advance(5_000);
  if (looksAtAll) fake.list('receiver_custodian', 'order.list');
  fake.advance(5_000);
  fake.exchange('receiver_custodian', 'order.list', {
    query: { status: 'FAILED' },
    answer: () => fake.envelope([], none),
  });
  return fake;
}

test('a receiver may have no orders on its list, but the filter keeps those that it has', () => {
  expect(outcomes(leftOut(false), filter)).not.toContain('fail');
  expect(outcomes(leftOut(true), filter)).toContain('fail');
});
