import { expect, test } from 'vitest';
import { sameFields } from './forbidden-requests.ts';

const order = {
  status: 'PENDING',
  target_amount: '100.00',
  created_at: '2026-03-02T09:00:00.000Z',
};

test('an order that is written otherwise is the same order', () => {
  const again = { ...order, target_amount: '100', created_at: '2026-03-02T09:00:00.000+00:00' };
  expect(sameFields(order, again)).toBe(true);
});

test.each([
  ['another state', { ...order, status: 'FAILED' }],
  ['another amount', { ...order, target_amount: '100.01' }],
  ['a field more', { ...order, quote_id: '7d64e35e-e388-410d-a78f-0a9ced511b39' }],
  ['a field less', { status: 'PENDING', target_amount: '100.00' }],
])('one that shows %s is not', (_, other) => {
  expect(sameFields(order, other)).toBe(false);
  expect(sameFields(other, order)).toBe(false);
});
