import { expect, test } from 'vitest';
import type { Exchange, Frame, History } from '../history/records.ts';
import { formatTimestamp } from '../spec/forms.ts';
import { listening, outcomes, World } from './testing.ts';

/** A stream of a maker hears of one request, and of the same again. */
function twice(resumed: boolean, afterMs: number): History {
  const world = new World();
  const stream = world.listen('maker_a');
  world.advance(afterMs);
  world.create();
  const records = world.records.map((record) =>
    resumed && record.kind === 'exchange' && record.id === stream.id
      ? ({
          ...record,
          request: { ...record.request, headers: { 'last-event-id': '7' } },
        } satisfies Exchange)
      : record,
  );
  const told = records.filter(
    (record): record is Frame => record.kind === 'frame' && record.event === 'quote_request_new',
  );
  return { records: [...records, ...told.map((frame) => ({ ...frame, id: `${frame.id} again` }))] };
}

const once = (history: History): readonly string[] =>
  outcomes(history, 'event.quote-request-new.once');

test.each([
  ['a stream', false, 100, true],
  ['a stream that was resumed long before', true, 10_000, true],
  ['a stream that is catching up', true, 100, false],
] as const)('what %s tells twice', (_, resumed, afterMs, isWrong) => {
  expect(once(twice(resumed, afterMs)).includes('fail')).toBe(isWrong);
});

test.each([
  [0, false],
  [800, false],
  [1_900, true],
])('a settlement that is told %d ms before it took place', (earlyMs, isWrong) => {
  const world = listening('sender', 'maker_a');
  const order = world.create();
  world.accept(order, world.quote('maker_a', order));
  world.advance(6_000);
  world.read('sender', order);
  const told = world.records.find(
    (record): record is Frame => record.kind === 'frame' && record.event === 'settlement_completed',
  );
  const settled_at = formatTimestamp((told?.received ?? 0) + earlyMs);
  const records = JSON.parse(
    JSON.stringify(world.records).replaceAll(
      /"settled_at":"[^"]*"/g,
      `"settled_at":"${settled_at}"`,
    ),
  ) as History['records'];
  const found = outcomes({ records }, 'event.settlement-completed.only-settled');
  expect(found).not.toEqual([]);
  expect(found.includes('fail')).toBe(isWrong);
});
