import { expect, it } from 'vitest';
import type { HistoryRecord } from '../../history/records.ts';
import { createOpenStreams } from './open-streams.ts';

const of = (record: object): HistoryRecord => ({ party: 'sender', ...record }) as HistoryRecord;
const opened = of({ kind: 'exchange', id: 'a', opensStream: true });
const frame = of({ kind: 'frame', stream: 'a' });
const end = of({ kind: 'end', stream: 'a' });

it('knows of a stream that the clock went past the heartbeat of, until something comes or it ends', () => {
  const streams = createOpenStreams(0);
  streams.noted(of({ kind: 'exchange', id: 'b' }));
  streams.noted(opened);
  expect([...streams.parties()]).toEqual(['sender']);
  streams.moved(30_000);
  expect(streams.overdue()).toEqual([]);
  streams.moved(40_000);
  expect(streams.overdue()).toEqual(['sender']);
  streams.noted(frame);
  expect(streams.overdue()).toEqual([]);
  // What comes during a step may have been sent at its end.
  streams.moving(31_000);
  streams.noted(frame);
  streams.moved(71_000);
  expect(streams.overdue()).toEqual([]);
  streams.moved(400_000);
  expect(streams.overdue()).toEqual(['sender']);
  streams.noted(end);
  expect(streams.overdue()).toEqual([]);
  expect([...streams.parties()]).toEqual([]);
});
