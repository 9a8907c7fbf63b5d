import { expect, it } from 'vitest';
import { exchange } from '../../test/support/records.ts';
import { standingClockNote } from './standing-clock.ts';

const start = Date.parse('2026-01-01T00:00:00.000Z');

/** Answers to one request a second; the clock of the target goes on by this much in between. */
const answers = (count: number, strideMs: number) =>
  Array.from({ length: count }, (_, index) => {
    const meta = { timestamp: new Date(start + index * strideMs).toISOString() };
    const response = { status: 200, headers: {}, body: { data: {}, meta } };
    return exchange({ at: start + index * 1_000, response });
  });

it.each([
  ['stands still', 12, 0, true],
  ['goes on', 12, 1, false],
  ['was read too seldom', 9, 0, false],
])('a clock that %s', (_, count, strideMs, isTold) => {
  const note = standingClockNote({ records: answers(count, strideMs) });
  expect(note?.includes('stood still at 2026-01-01T00:00:00.000Z for 11 s') ?? false).toBe(isTold);
});
