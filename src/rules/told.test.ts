import { expect, test } from 'vitest';
import type { HistoryRecord } from '../history/records.ts';
import { altered, listening, outcomes } from './testing.ts';
import { partyIds } from './testing/wire.ts';
import { World } from './testing/world.ts';

test('an event that a stream was not open long enough for', () => {
  const world = new World();
  const order = world.create();
  const stream = world.listen('sender');
  world.token('maker_a');
  world.quote('maker_a', order);
  world.hangUp(stream);
  world.advance(10_000);
  world.read('sender', order);
  const history = altered(world, (record) => (record.kind === 'frame' ? undefined : record));
  expect(outcomes(history, 'event.quote-received.sent')).not.toContain('fail');
});

test.each([
  ['with the first one again', true],
  ['with another', false],
])('a stream that opened between two submissions, the second answered %s', (_, isSame) => {
  const world = listening('maker_a');
  world.token('maker_a');
  const order = world.create();
  const first = world.quote('maker_a', order);
  world.advance(1_000);
  world.token('sender');
  world.listen('sender');
  world.advance(1_000);
  const second = world.quote('maker_a', order);
  world.advance(10_000);
  world.read('sender', order);
  const history = altered(world, (record) => {
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
])('a quote by %s on terms that were refused', (_, more, isBlamed) => {
  const world = listening('sender');
  world.token('maker_a');
  world.quote('maker_a', world.create(), '1');
  world.advance(1_000);
  const history = altered(world, (record) => {
    if (record.kind === 'frame' && record.event === 'quote_received') {
      const { market_maker_party_id: _maker, ...nameless } = record.data as Record<string, unknown>;
      const quote_id = '00000000-0000-4000-8000-00000000cafe';
      return { ...record, data: { ...nameless, quote_id, ...more } };
    }
    if (record.kind !== 'exchange' || record.endpoint !== 'quote.submit') return record;
    return { ...record, response: { status: 422, headers: {} } };
  });
  const found = outcomes(history, 'event.quote-received.only-after-quote');
  expect(found.includes('fail')).toBe(isBlamed);
});

test.each([
  ['at once', 100, false],
  ['in its own time', 10_000, true],
])('a request that nobody was told of, whose order was cancelled %s', (_, ms, isBlamed) => {
  const world = listening('sender', 'maker_a');
  const order = world.create();
  world.advance(ms);
  world.cancel(order);
  world.advance(20_000);
  const history = altered(world, (record) =>
    record.kind === 'frame' && record.event === 'quote_request_new' ? undefined : record,
  );
  const answers = (gap: string) => (gap === 'proposal.effect' ? 'none' : undefined);
  const found = outcomes(history, 'event.quote-request-new.sent', { answers });
  expect(found.includes('fail')).toBe(isBlamed);
});

test.each([
  ['quote_rejected', false],
  ['quote_accepted', true],
])('%s that a winner is told after the settlement', (event, isBlamed) => {
  const world = listening('sender', 'maker_a');
  const order = world.create();
  world.accept(order, world.quote('maker_a', order));
  world.advance(10_000);
  const late = world.records.find(
    (record) => record.kind === 'frame' && record.event === 'quote_accepted',
  );
  const records = altered(world, (record) => (record === late ? undefined : record)).records;
  const told = { ...late, event, received: world.now } as HistoryRecord;
  expect(outcomes({ records: [...records, told] }, 'event.in-order').includes('fail')).toBe(
    isBlamed,
  );
});

test.each([
  ['an open', 20_000, true],
  ['a lapsed', -1_000, false],
])('%s quote that nobody was told of', (_, validMs, isBlamed) => {
  const world = listening('sender');
  world.token('maker_a');
  world.quote('maker_a', world.create(), '1', validMs);
  world.advance(40_000);
  const history = altered(world, (record) =>
    record.kind === 'frame' && record.event === 'quote_received' ? undefined : record,
  );
  expect(outcomes(history, 'event.quote-received.sent')).toEqual(isBlamed ? ['fail'] : []);
});
