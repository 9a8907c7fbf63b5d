import { expect, it } from 'vitest';
import type { HistoryRecord } from '../../history/records.ts';
import { createSilentStreams } from './silent-streams.ts';

const of = (record: object): HistoryRecord => ({ party: 'sender', ...record }) as HistoryRecord;
const frame = of({ kind: 'frame', stream: 'a' });

it('names the party of a stream from the heartbeat that it lacks to its next message, or its end', () => {
  const streams = createSilentStreams(0);
  const overdueAt = (instant: number): readonly string[] => {
    streams.moved(instant);
    return streams.overdue();
  };
  streams.noted(of({ kind: 'exchange', id: 'b' }));
  streams.noted(of({ kind: 'exchange', id: 'a', opensStream: true }));
  expect([...streams.parties()]).toEqual(['sender']);
  expect([overdueAt(30_000), overdueAt(40_000)]).toEqual([[], ['sender']]);
  streams.noted(frame);
  expect(streams.overdue()).toEqual([]);
  // A message that comes before the answer of a step may have been sent at its end.
  streams.moving(31_000);
  streams.noted(frame);
  expect([overdueAt(71_000), overdueAt(400_000)]).toEqual([[], ['sender']]);
  streams.noted(of({ kind: 'end', stream: 'a' }));
  expect([streams.overdue(), [...streams.parties()]]).toEqual([[], []]);
});
