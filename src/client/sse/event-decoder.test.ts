import { expect, test } from 'vitest';
import { eventDecoder, type StreamMessage } from './event-decoder.ts';

const bytes = (text: string): Uint8Array => new TextEncoder().encode(text);

function reader(bound?: number) {
  const messages: StreamMessage[] = [];
  const decoder = eventDecoder((message) => messages.push(message), bound);
  return { messages, feed: (text: string) => decoder.feed(bytes(text)) };
}

test('a message counts once its blank line has come, not before', () => {
  const { messages, feed } = reader();
  feed('event: a\ndata: 1\n');
  expect(messages).toEqual([]);
  feed('\n');
  expect(messages).toEqual([{ event: 'a', data: '1' }]);
});

test('a CRLF cut in two is one end of line', () => {
  const { messages, feed } = reader();
  feed('data: 1\r');
  feed('\n\r');
  feed('\ndata: 2\r');
  feed('\r');
  expect(messages).toEqual([
    { event: '', data: '1' },
    { event: '', data: '2' },
  ]);
});

test('a named block without data is handed on as such; a block of nothing is none', () => {
  const { messages, feed } = reader();
  feed('event: heartbeat\n\n\n\nid: 4\n\n:only a comment\n\ndata\n\n');
  expect(messages).toEqual([
    { event: 'heartbeat' },
    { event: '', data: '', comments: ['only a comment'] },
  ]);
});

test('comments come with the message after them, each text once and so many of them', () => {
  const { messages, feed } = reader();
  feed(': one\n\n:two\n: one\n:\ndata: 1\n\ndata: 2\n: three\n\n');
  expect(messages.map(({ comments }) => comments)).toEqual([['one', 'two'], ['three']]);
  for (let n = 0; n < 10_000; n += 1) feed(`: ${n}\n`);
  feed('data: 3\n\n');
  expect(messages[2]?.comments?.join('').length).toBeLessThanOrEqual(2_000);
});

test('an id with a NUL is ignored', () => {
  const { messages, feed } = reader();
  feed('id: a\0b\ndata: x\n\n');
  expect(messages).toEqual([{ event: '', data: 'x' }]);
});

test('a line or a message without an end is refused at the bound', () => {
  const endless = reader(100);
  expect(endless.feed('x'.repeat(60))).toBe(true);
  expect(endless.feed('x'.repeat(60))).toBe(false);
  const lines = reader(100);
  for (let n = 0; n < 10; n += 1) expect(lines.feed('data: 4567\n')).toBe(true);
  expect(lines.feed('data: 4567\n')).toBe(false);
  expect(lines.feed('\n')).toBe(false);
  expect(lines.messages).toEqual([]);
});

test('the bound holds for each message, not for all together', () => {
  const { messages, feed } = reader(100);
  for (let n = 0; n < 50; n += 1) expect(feed('data: 4567\n\n')).toBe(true);
  expect(messages.length).toBe(50);
});
