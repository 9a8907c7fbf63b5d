import { EventEmitter } from 'node:events';
import type { ServerResponse } from 'node:http';
import { describe, expect, it } from 'vitest';
import { createFeed, frameWriter } from './feed.ts';
import { createSubscriber } from './subscriber.ts';

/** A connection that takes so many writes before it is full. */
class Connection extends EventEmitter {
  readonly taken: string[] = [];
  room = Number.POSITIVE_INFINITY;
  destroyed = false;
  writableLength = 0;

  write(text: string): boolean {
    this.taken.push(text);
    return this.taken.length < this.room;
  }
  end(): void {
    this.emit('close');
  }
  destroy(): void {
    this.destroyed = true;
    this.emit('close');
  }
}

function setUp(maxBacklog = 3, capacity = 8) {
  const feed = createFeed('e', frameWriter('lf'), capacity);
  const connection = new Connection();
  let closed = 0;
  const open = (from: number) =>
    createSubscriber({
      feed,
      from,
      raw: connection as unknown as ServerResponse,
      wants: ({ event }) => event.intentId !== 'other',
      textOf: ({ event }) => String((event.data as { n: number }).n),
      maxBacklog,
      onClose: () => (closed += 1),
    });
  const push = (n: number, intentId = 'mine') =>
    feed.push({ to: 'p', event: 'order_updated', intentId, data: { n } });
  return { feed, connection, open, push, closed: () => closed };
}

describe('reader', () => {
  it('sends its messages in order, from its start', () => {
    const { connection, open, push } = setUp();
    push(1);
    push(2);
    const subscriber = open(2);
    subscriber.pump();
    push(3, 'other');
    push(4);
    subscriber.pump();
    expect(connection.taken).toEqual(['2', '4']);
  });

  it('stands still while the connection is full and goes on when it drains', () => {
    const { connection, open, push } = setUp();
    const subscriber = open(1);
    connection.room = 1;
    push(1);
    subscriber.pump();
    push(2);
    push(3);
    subscriber.pump();
    expect(connection.taken).toEqual(['1']);
    connection.room = Number.POSITIVE_INFINITY;
    connection.emit('drain');
    expect(connection.taken).toEqual(['1', '2', '3']);
  });

  it('is cut off once more events came than its patience, and once only', () => {
    const { connection, open, push, closed } = setUp(3);
    const subscriber = open(1);
    connection.room = 1;
    for (let n = 1; n <= 4; n += 1) {
      push(n);
      subscriber.pump();
    }
    expect(connection.destroyed).toBe(false);
    push(5);
    subscriber.pump();
    expect([connection.destroyed, closed()]).toEqual([true, 1]);
    push(6);
    subscriber.pump();
    expect(connection.taken).toEqual(['1']);
  });

  it('is cut off if it would miss events', () => {
    const { connection, open, push } = setUp(100, 4);
    const subscriber = open(1);
    connection.room = 1;
    for (let n = 1; n <= 20; n += 1) {
      push(n);
      subscriber.pump();
    }
    expect(connection.destroyed).toBe(true);
  });

  it('starts with the oldest that is kept where it asks for older ones', () => {
    const { feed, connection, open, push } = setUp(3, 4);
    for (let n = 1; n <= 20; n += 1) push(n);
    open(1).pump();
    expect(connection.taken[0]).toBe(String(feed.first));
    expect(connection.taken.at(-1)).toBe('20');
  });

  it('is not cut off because it starts far behind', () => {
    const { connection, open, push } = setUp(3, 30);
    for (let n = 1; n <= 25; n += 1) push(n);
    connection.room = 1;
    open(1).pump();
    expect(connection.destroyed).toBe(false);
  });

  it('drops a message that is not part of the feed while the connection is full', () => {
    const { connection, open, push } = setUp();
    const subscriber = open(1);
    connection.room = 1;
    push(1);
    subscriber.pump();
    subscriber.send('beat');
    expect(connection.taken).toEqual(['1']);
  });

  it('tells that it has closed when the other side goes', () => {
    const { connection, open, closed } = setUp();
    const subscriber = open(1);
    connection.emit('close');
    subscriber.send('beat');
    expect([closed(), connection.taken]).toEqual([1, []]);
  });
});
