import { expect, test } from 'vitest';
import type { Frame, History, HistoryRecord } from '../../../history/records.ts';
import {
  altered,
  listening,
  outcomes,
} from '../../../../test/support/oracle/findings-and-edits.ts';

const found = (history: History) => outcomes(history, 'error.refusal-sends-no-event');

const refused = <T extends HistoryRecord>(record: T, changes: object): T => ({
  ...record,
  ...changes,
  response: { status: 403, headers: {}, body: {} },
});

/** After `quietMs`, another institution tries to cancel an order; the last event is sent again. */
function triedWithEvent(quietMs: number, repeated?: string): History {
  const fake = listening('sender', 'outsider', 'maker_a');
  const order = fake.create();
  fake.quote('maker_a', order, '1');
  fake.advance(quietMs);
  fake.read('outsider', order);
  const again = fake.records.find(
    (record): record is Frame => record.kind === 'frame' && record.event === repeated,
  );
  if (again) fake.records.push({ ...again, id: 'again', received: fake.now });
  fake.advance(7_000);
  fake.read('sender', order);
  return altered(fake, (record) =>
    record.kind === 'exchange' && record.party === 'outsider' && record.endpoint === 'order.read'
      ? refused(record, { endpoint: 'order.cancel' })
      : record,
  );
}

test.each([
  ['no event', 10_000, undefined, 'pass'],
  ['an event to the sender', 10_000, 'quote_received', 'fail'],
  ['an event to a maker', 10_000, 'quote_request_new', 'fail'],
])('a refused request that %s follows', (_, quietMs, repeated, outcome) => {
  expect(found(triedWithEvent(quietMs, repeated))).toEqual([outcome]);
});

test('an event that may have come before the refusal, or of a later call', () => {
  const fake = listening('sender', 'outsider', 'maker_a');
  const order = fake.create();
  fake.advance(10_000);
  fake.read('outsider', order);
  const refusedAt = fake.now;
  fake.advance(150);
  fake.quote('maker_a', order, '1');
  fake.advance(7_000);
  fake.read('sender', order);
  const history = altered(fake, (record) => {
    if (record.kind === 'exchange' && record.party === 'outsider') {
      return record.endpoint === 'order.read'
        ? refused(record, { endpoint: 'order.cancel' })
        : record;
    }
    // Read in a step of the clock, with whatever the one before had brought.
    const isOfQuote = record.kind === 'frame' && record.event === 'quote_received';
    return isOfQuote && record.received > refusedAt ? { ...record, after: refusedAt } : record;
  });
  expect(found(history)).not.toContain('fail');
});

test('an event that may be of what was served before', () => {
  expect(found(triedWithEvent(1_000, 'quote_request_new'))).not.toContain('fail');
});

test.each([
  ['its own amount', '1234.56', 'fail'],
  ['an amount that anybody asks for', '1000.00', 'none'],
])('a request over %s, whose creation was refused', (_, target_amount, outcome) => {
  const fake = listening('sender', 'maker_a');
  fake.create('sender', { target_amount });
  fake.advance(7_000);
  const history = altered(fake, (record) =>
    record.kind === 'exchange' && record.endpoint === 'order.create' ? refused(record, {}) : record,
  );
  expect(found(history)).toEqual(outcome === 'fail' ? ['fail'] : []);
});

test.each([
  ['within the maximum', '2000.00', true],
  ['above the maximum, whose order may fail of it', '1.00', false],
])('an event of a refused acceptance %s', (_, source_amount_max, fails) => {
  const fake = listening('sender', 'maker_a');
  const order = fake.create('sender', { source_amount_max });
  const quote = fake.quote('maker_a', order, '1');
  fake.list('sender', 'order.quotes', { params: { intent_id: order.intent_id } });
  fake.advance(10_000);
  fake.read('sender', order);
  fake.accept(order, quote);
  fake.advance(7_000);
  fake.read('sender', order);
  const history = altered(fake, (record) => {
    if (record.kind === 'frame' && record.event === 'quote_accepted') return undefined;
    return record.kind === 'exchange' && record.endpoint === 'quote.accept'
      ? refused(record, {})
      : record;
  });
  expect(found(history).includes('fail')).toBe(fails);
});
