import { expect, it } from 'vitest';
import { ownLimits } from '../history/limits.ts';
import { createStreamReader } from './read-stream.ts';

it('records so many messages of a stream as a client keeps, and says by which limit it stopped', () => {
  let frames = 0;
  const ends: unknown[] = [];
  const party = { name: 'maker_a', role: 'market-maker', baseUrl: 'http://a' } as const;
  const reader = createStreamReader(party, 'proxy#1', {
    frame: (frame) => {
      frames += 1;
      return { ...frame, kind: 'frame', id: `${frames}` };
    },
    end: (end) => {
      ends.push(end);
      return { ...end, kind: 'end' };
    },
    weigh: () => undefined,
  });
  const piece = Buffer.from('event: heartbeat\ndata: {}\n\n'.repeat(1_000));
  for (let fed = 0; fed <= ownLimits['stream.messages']; fed += 1_000) reader.feed(piece, 1);
  reader.end('target', 2);
  expect(frames).toBe(ownLimits['stream.messages']);
  expect(ends).toEqual([expect.objectContaining({ cause: 'us', limit: 'stream.messages' })]);
});
