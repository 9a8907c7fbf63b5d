import { expect, test } from 'vitest';
import type { Exchange, HistoryRecord } from '../../../history/records.ts';
import {
  altered,
  listening,
  outcomes,
} from '../../../../test/support/oracle/findings-and-edits.ts';
import { partyIds } from '../../../../test/support/oracle/fake-wire.ts';
import { FakeTarget } from '../../../../test/support/oracle/fake-target.ts';

test('an event that a stream was not open long enough for', () => {
  const fake = new FakeTarget();
  const order = fake.create();
  const stream = fake.listen('sender');
  fake.token('maker_a');
  fake.quote('maker_a', order);
  fake.hangUp(stream);
  fake.advance(10_000);
  fake.read('sender', order);
  const history = altered(fake, (record) => (record.kind === 'frame' ? undefined : record));
  expect(outcomes(history, 'event.quote-received.sent')).not.toContain('fail');
});

test.each([
  ['with the first one again', true],
  ['with another', false],
])('a stream that opened between two submissions, the second answered %s', (_, isSame) => {
  const fake = listening('maker_a');
  fake.token('maker_a');
  const order = fake.create();
  const first = fake.quote('maker_a', order);
  fake.advance(1_000);
  fake.token('sender');
  fake.listen('sender');
  fake.advance(1_000);
  const second = fake.quote('maker_a', order);
  fake.advance(10_000);
  fake.read('sender', order);
  const history = altered(fake, (record) => {
    if (record.kind === 'frame' && record.event === 'quote_received') return undefined;
    if (!isSame || record.kind !== 'exchange' || record.endpoint !== 'quote.submit') return record;
    return JSON.parse(JSON.stringify(record).replaceAll(second.quote_id, first.quote_id));
  });
  const found = outcomes(history, 'event.quote-received.sent');
  expect(found.includes('fail')).toBe(!isSame);
});

test.each([
  ['another maker', { market_maker_party_id: 'Robot::12ab' }, false],
  ['nobody by name, for longer', { valid_until: '2026-03-02T09:00:40.000Z' }, false],
  ['nobody by name', {}, true],
  ['the maker that was refused', { market_maker_party_id: partyIds.maker_a }, true],
])('a quote by %s on terms that were refused', (_, more, isFailing) => {
  const fake = listening('sender');
  fake.token('maker_a');
  fake.quote('maker_a', fake.create(), '1');
  fake.advance(1_000);
  const history = altered(fake, (record) => {
    if (record.kind === 'frame' && record.event === 'quote_received') {
      const { market_maker_party_id: _maker, ...nameless } = record.data as Record<string, unknown>;
      const quote_id = '00000000-0000-4000-8000-00000000cafe';
      return { ...record, data: { ...nameless, quote_id, ...more } };
    }
    if (record.kind !== 'exchange' || record.endpoint !== 'quote.submit') return record;
    return { ...record, response: { status: 422, headers: {} } };
  });
  const found = outcomes(history, 'event.quote-received.only-after-quote');
  expect(found.includes('fail')).toBe(isFailing);
});

test.each([
  ['at once', 100, false],
  ['in its own time', 10_000, true],
])('a request that nobody was told of, whose order was cancelled %s', (_, ms, isFailing) => {
  const fake = listening('sender', 'maker_a');
  const order = fake.create();
  fake.advance(ms);
  fake.cancel(order);
  fake.advance(20_000);
  const history = altered(fake, (record) =>
    record.kind === 'frame' && record.event === 'quote_request_new' ? undefined : record,
  );
  const answers = (gap: string) => (gap === 'proposal.effect' ? 'none' : undefined);
  const found = outcomes(history, 'event.quote-request-new.sent', { answers });
  expect(found.includes('fail')).toBe(isFailing);
});

test.each([
  ['quote_rejected', false],
  ['quote_accepted', true],
])('%s that a winner is told after the settlement', (event, isFailing) => {
  const fake = listening('sender', 'maker_a');
  const order = fake.create();
  fake.accept(order, fake.quote('maker_a', order));
  fake.advance(10_000);
  const late = fake.records.find(
    (record) => record.kind === 'frame' && record.event === 'quote_accepted',
  );
  const records = altered(fake, (record) => (record === late ? undefined : record)).records;
  const told = { ...late, event, received: fake.now } as HistoryRecord;
  expect(outcomes({ records: [...records, told] }, 'event.in-order').includes('fail')).toBe(
    isFailing,
  );
});

test.each([
  ['an open', 20_000, true],
  ['a lapsed', -1_000, false],
])('%s quote that nobody was told of', (_, validMs, isFailing) => {
  const fake = listening('sender');
  fake.token('maker_a');
  fake.quote('maker_a', fake.create(), '1', validMs);
  fake.advance(40_000);
  const history = altered(fake, (record) =>
    record.kind === 'frame' && record.event === 'quote_received' ? undefined : record,
  );
  expect(outcomes(history, 'event.quote-received.sent')).toEqual(isFailing ? ['fail'] : []);
});

test('a QUOTED order of two acceptances whose answers were lost, the first of them later', () => {
  const fake = listening('sender');
  const order = fake.create();
  fake.token('maker_a');
  const quote = fake.quote('maker_a', order);
  fake.accept(order, quote);
  fake.advance(10_000);
  const { records } = altered(fake, (record) => record);
  const place = records.findIndex(
    (one) => one.kind === 'exchange' && one.endpoint === 'quote.accept',
  );
  const granted = records[place] as Exchange;
  const { response: _, ...asked } = granted;
  const error = { code: 'aborted', message: 'the network lost the answer' };
  const lost = { ...asked, error, received: granted.received + 5_000 } as Exchange;
  const others = records.filter((one) => one !== granted);
  // It was sent once the event was there.
  const second = { ...lost, id: 'second', party: 'sender_custodian', precededBy: others.length };
  for (const both of [
    [lost, second],
    [second, lost],
  ]) {
    const found = outcomes({ records: [...others, ...both] }, 'event.after-cause');
    expect(found).toContain('pass');
    expect(found).not.toContain('fail');
  }
});

test.each([
  ['one that lapsed, then one that stood', [1_000, 40_000], true],
  ['one that stood, then one that lapsed and may have replaced it', [40_000, 1_000], false],
  ['two that lapsed', [1_000, 2_000], false],
])('no quote_rejected for a maker that had %s', (_, validMs, isDue) => {
  const fake = listening('maker_b');
  fake.token('sender');
  const order = fake.create();
  fake.token('maker_a');
  const winner = fake.quote('maker_a', order);
  for (const ms of validMs) fake.quote('maker_b', order, '0.9', ms);
  fake.advance(8_000);
  fake.accept(order, winner);
  fake.advance(10_000);
  fake.read('sender', order);
  const history = altered(fake, (record) =>
    record.kind === 'frame' && record.event === 'quote_rejected' ? undefined : record,
  );
  expect(outcomes(history, 'event.quote-rejected.sent').includes('fail')).toBe(isDue);
});
