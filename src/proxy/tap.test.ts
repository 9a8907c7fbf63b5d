import { expect, test } from 'vitest';
import { virtualClock } from '../timeline/clock/virtual-clock.ts';
import type { PassedBatch } from './passed.ts';
import { createTap } from './tap.ts';

const quarter = Buffer.alloc(256 * 1_024);

/** A flood of 2 MB on one connection. The reader was handed its share and has read nothing. */
function flooded() {
  const clock = virtualClock(0);
  const batches: PassedBatch[] = [];
  const tap = createTap(clock, (batch) => batches.push(batch));
  const connection = tap.open('sender');
  for (let n = 0; n < 8; n += 1) connection.answer(quarter);
  connection.over({ kind: 'closed', by: 'backend', reset: false });
  const drained = tap.drain(1_000);
  const kinds = () => batches.flatMap(({ items }) => items.map(({ kind }) => kind));
  return { clock, tap, drained, kinds };
}

test('a reader is handed one megabyte at a time, the rest as it reads', async () => {
  const { tap, drained, kinds } = flooded();
  expect(kinds()).toEqual(Array.from({ length: 4 }, () => 'answer'));
  tap.read(4 * quarter.length);
  expect(kinds()).toHaveLength(8);
  tap.read(4 * quarter.length);
  await drained;
  expect(kinds().at(-1)).toBe('closed');
});

test('bytes that a reader has not taken in time are reported as unread', async () => {
  const { clock, drained, kinds } = flooded();
  clock.advanceTo(1_000);
  await drained;
  expect(kinds()).toEqual(['answer', 'answer', 'answer', 'answer', 'unread']);
});
