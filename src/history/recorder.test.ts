import { expect, test } from 'vitest';
import { createRecorder } from './recorder.ts';

test('each driver counts for itself, whatever others do in between', () => {
  const recorder = createRecorder();
  expect([recorder.nextId('a'), recorder.nextId('b'), recorder.nextId('a')]).toEqual([
    'a#1',
    'b#1',
    'a#2',
  ]);
  const frame = recorder.frame({
    stream: 'a#1',
    by: 'a',
    party: 'sender',
    role: 'institution',
    received: 5,
    event: 'heartbeat',
  });
  expect(frame.id).toBe('a#3');
  expect(recorder.records).toEqual([frame]);
});
