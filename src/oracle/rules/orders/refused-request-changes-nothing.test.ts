import { expect, test } from 'vitest';
import type { Exchange, History, HistoryRecord } from '../../../history/records.ts';
import {
  altered,
  edited,
  listening,
  outcomes,
  violations,
} from '../../../../test/support/oracle/findings-and-edits.ts';

const isTry = (record: HistoryRecord): record is Exchange =>
  record.kind === 'exchange' && record.party === 'outsider' && record.endpoint === 'order.read';

/** An order that is read, then asked for a cancel by another institution, then read again. */
function triedBetweenReads(status: number, waitMs = 1_000): History {
  const fake = listening('sender', 'outsider', 'maker_a');
  const order = fake.create();
  const params = { intent_id: order.intent_id };
  fake.quote('maker_a', order, '1');
  const look = () => {
    fake.read('sender', order);
    fake.list('sender', 'order.quotes', { params });
  };
  look();
  fake.read('outsider', order);
  fake.advance(waitMs);
  look();
  return altered(fake, (record) =>
    isTry(record)
      ? { ...record, endpoint: 'order.cancel', response: { status, headers: {}, body: {} } }
      : record,
  );
}

const found = (history: History) => outcomes(history, 'error.refusal-changes-nothing');
const after = (at: 'order.read' | 'order.quotes') => ({ at, party: 'sender', nth: 1 }) as const;

test('a refused request that left everything as it was', () => {
  expect(found(triedBetweenReads(403))).toEqual(['pass']);
});

test.each([
  ['the state of its order', 'order.read', { status: 'FAILED' }],
  ['the memo of its order', 'order.read', { memo: 'somebody asked' }],
  ['a reason of its order', 'order.read', { failure_reason: 'USER_CANCELLED' }],
  ['the state of a quote', 'order.quotes', { status: 'REJECTED' }],
  ['the rate of a quote', 'order.quotes', { fx_rate: '2' }],
] as const)('a refused request that changed %s', (_, at, changes) => {
  const change = (history: History) =>
    edited(history, after(at), (value) => Object.assign(value, changes));
  expect(found(change(triedBetweenReads(403)))).toContain('fail');
  // One that broke off may have been carried out.
  expect(found(change(triedBetweenReads(502)))).not.toContain('fail');
});

test('an order that its operator withdrew meanwhile', () => {
  const history = edited(triedBetweenReads(403), after('order.read'), (order) => {
    Object.assign(order, { status: 'FAILED', failure_reason: 'OPERATOR_WITHDRAWN' });
  });
  expect(violations(history)).toEqual([]);
});

test('a quote whose deadline passed meanwhile', () => {
  const history = edited(triedBetweenReads(403, 30_000), after('order.quotes'), (quote) => {
    quote['status'] = 'EXPIRED';
  });
  expect(found(history)).not.toContain('fail');
});
