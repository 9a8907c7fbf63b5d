import { describe, expect, it } from 'vitest';
import { createFeed, frameWriter } from './feed.ts';

const event = (n: number) => ({ to: 'p', event: 'order_updated', intentId: `i${n}`, data: { n } });
const filled = (count: number, capacity: number) => {
  const feed = createFeed('abc', frameWriter('lf'), capacity);
  for (let n = 1; n <= count; n += 1) feed.push(event(n));
  return feed;
};

describe('feed', () => {
  it('keeps at least its capacity and at most twice that', () => {
    const feed = filled(1000, 10);
    expect(feed.next - feed.first).toBeGreaterThanOrEqual(10);
    expect(feed.next - feed.first).toBeLessThan(20);
    expect(feed.get(feed.first)?.event.intentId).toBe(`i${feed.first}`);
    expect(feed.get(1000)?.event.intentId).toBe('i1000');
    expect(feed.get(1001)).toBeUndefined();
    expect(feed.get(feed.first - 1)).toBeUndefined();
  });

  it('finds where to go on behind an id of its own', () => {
    const feed = filled(5, 10);
    expect(feed.after('abc-3')).toBe(4);
    expect(feed.after('abc-5')).toBe(6);
  });

  it('begins with the earliest behind an id of an earlier run', () => {
    expect(filled(5, 10).after('abd-3')).toBe(1);
    const feed = filled(1000, 10);
    expect(feed.after('abd-999')).toBe(feed.first);
  });

  it.each(['abc-6', 'abcd-3', '3', 'abc-', 'abc-x', '', 'abc-99999999999999999999'])(
    'has no position for the id %j',
    (id) => {
      expect(filled(5, 10).after(id)).toBeUndefined();
    },
  );

  it.each([
    ['lf', 'id: abc-1\nevent: order_updated\ndata: {"n":1}\n\n'],
    ['crlf', 'id: abc-1\r\nevent: order_updated\r\ndata: {"n":1}\r\n\r\n'],
    ['cr', 'id: abc-1\revent: order_updated\rdata: {"n":1}\r\r'],
  ] as const)('writes messages with %s', (lineEnd, text) => {
    const feed = createFeed('abc', frameWriter(lineEnd), 4);
    feed.push(event(1));
    expect(feed.get(1)?.text()).toBe(text);
  });

  it('writes a message once for all readers', () => {
    let written = 0;
    const feed = createFeed('abc', () => String((written += 1)), 4);
    feed.push(event(1));
    expect([feed.get(1)?.text(), feed.get(1)?.text(), written]).toEqual(['1', '1', 1]);
  });
});
