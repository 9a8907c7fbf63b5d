import { expect, test } from 'vitest';
import type { HistoryRecord } from '../history/records.ts';
import { frame as made } from '../../test/support/records.ts';
import { checkpointEvery, hashOf, partingOf } from './world-hash.ts';

const frame = (at: number): HistoryRecord => made({ id: `x#${at}`, at });

const run = (records: readonly HistoryRecord[]) => ({ ...hashOf(records), records });
const frames = Array.from({ length: 300 }, (_, at) => frame(at));

test('the same records have the same hash and checkpoints', () => {
  expect(run(frames).hash).toBe(run([...frames]).hash);
  expect(run(frames).checkpoints).toHaveLength(Math.ceil(300 / checkpointEvery));
  expect(partingOf(run(frames), run([...frames]))).toBeUndefined();
});

test.each([0, 63, 64, 150, 299])('the first record that differs is found: %i', (at) => {
  const changed = frames.with(at, frame(1_000));
  // A second difference, later in the history, must not move the first one.
  const later = changed.with(299, frame(2_000));
  expect(partingOf(run(frames), run(later))).toMatchObject({ at, first: { id: `x#${at}` } });
});

test('histories of different length differ at the end of the shorter one', () => {
  expect(partingOf(run(frames), run(frames.slice(0, 256)))).toEqual({
    at: 256,
    first: frame(256),
    second: undefined,
  });
});
