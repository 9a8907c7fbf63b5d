import { expect, test } from 'vitest';
import type { Exchange, Frame, History } from '../../../history/records.ts';
import { formatTimestamp } from '../../../spec/forms.ts';
import {
  FakeTarget,
  listening,
  outcomes,
  rewritten,
} from '../../../../test/support/oracle/findings-and-edits.ts';

/** A stream of a maker hears of one request, and of the same again. */
function twice(resumed: boolean, afterMs: number): History {
  const fake = new FakeTarget();
  const stream = fake.listen('maker_a');
  fake.advance(afterMs);
  fake.create();
  const records = fake.records.map((record) =>
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
  const fake = listening('sender', 'maker_a');
  const order = fake.create();
  fake.accept(order, fake.quote('maker_a', order));
  fake.advance(6_000);
  fake.read('sender', order);
  const told = fake.records.find(
    (record): record is Frame => record.kind === 'frame' && record.event === 'settlement_completed',
  );
  const settled_at = formatTimestamp((told?.received ?? 0) + earlyMs);
  const settled = rewritten(fake, /"settled_at":"[^"]*"/g, `"settled_at":"${settled_at}"`);
  const found = outcomes(settled, 'event.settlement-completed.only-settled');
  expect(found).not.toEqual([]);
  expect(found.includes('fail')).toBe(isWrong);
});
