import { expect, test } from 'vitest';
import type { HistoryRecord } from '../../../history/records.ts';
import { edited, issued, outcomes } from '../../../../test/support/oracle/findings-and-edits.ts';

const requirement = 'service.order-to-settlement';

/**
 * Orders whose accepted quote may expire before their settlement, so that both ends are allowed.
 * All but the last `lasting` are read at their end; those stay EXECUTING.
 */
function trades(ended: number, lasting: number): { readonly records: readonly HistoryRecord[] } {
  const fake = issued('sender');
  const orders = Array.from({ length: ended + lasting }, () => {
    const order = fake.create();
    fake.accept(order, fake.quote('maker_a', order, '0.85', 5_000));
    return order;
  });
  fake.advance(10_000);
  for (const order of orders.slice(0, ended)) fake.read('sender', order);
  fake.advance(600_000);
  const late = orders.slice(ended);
  for (const order of late) fake.read('sender', order);
  const lateIds = new Set<unknown>(late.map(({ intent_id }) => intent_id));
  return edited(fake, { at: 'order.read' }, (order) => {
    if (lateIds.has(order['intent_id'])) order['status'] = 'EXECUTING';
  });
}

test('an order that stays EXECUTING fails, once all others of its target have ended', () => {
  expect(outcomes(trades(40, 1), requirement)).toContain('fail');
  expect(outcomes(trades(40, 0), requirement)).not.toContain('fail');
});

test('an unsettled order fails only once others show how long settlement takes', () => {
  expect(outcomes(trades(10, 1), requirement)).not.toContain('fail');
  expect(outcomes(trades(40, 5), requirement)).not.toContain('fail');
});
