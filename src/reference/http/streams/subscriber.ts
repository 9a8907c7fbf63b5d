import type { ServerResponse } from 'node:http';
import type { Feed, FeedEntry } from './feed.ts';

/** One open stream: its position in its party's feed, and the connection that it writes to. */
export interface Subscriber {
  /** Writes on, as far as the connection takes it. */
  pump(): void;
  /** Writes a message that is no part of the feed, unless the connection is behind anyway. */
  send(text: string): void;
  /** Ends it as a stream ends. */
  end(): void;
  /** Cuts the connection. */
  drop(): void;
  /** Whether its connection takes nothing more for now. */
  readonly full: boolean;
  /** Once all that was written has left this process, or the connection is gone. */
  flushed(): Promise<void>;
}

export interface SubscriberOptions {
  readonly feed: Feed;
  readonly from: number;
  readonly raw: ServerResponse;
  /** Whether the stream is due an event, by what it was limited to. */
  readonly wants: (retained: FeedEntry) => boolean;
  /** The text to send; undefined sends nothing. */
  readonly textOf: (retained: FeedEntry) => string | undefined;
  /** A reader is cut off when so many events came while its connection took none. It can resume then. */
  readonly maxBacklog: number;
  readonly onClose: () => void;
}

/**
 * A reader has no buffer of its own beyond what its connection holds: while that is full its position stays,
 * and it goes on from there when the connection drains.
 */
export function createSubscriber(options: SubscriberOptions): Subscriber {
  const { feed, raw, wants, textOf } = options;
  let at = Math.max(options.from, feed.first);
  let full = false;
  /** What the feed's next number was when the connection last stopped taking. */
  let stoodStillAt = 0;
  let open = true;

  function write(text: string): void {
    full = !raw.write(text);
    if (full) stoodStillAt = feed.next;
  }

  function pump(): void {
    while (open && !full) {
      const retained = feed.get(at);
      if (!retained) break;
      at += 1;
      if (!wants(retained)) continue;
      const text = textOf(retained);
      if (text !== undefined) write(text);
    }
    if (!open) return;
    // Behind what the feed keeps, a stream would go on with a hole in it that its reader cannot see.
    if (at < feed.first || (full && feed.next - stoodStillAt > options.maxBacklog)) drop();
  }

  function drained(): void {
    if (!full) return;
    full = false;
    pump();
  }

  function closed(): void {
    if (!open) return;
    open = false;
    options.onClose();
  }

  function drop(): void {
    closed();
    raw.destroy();
  }

  raw.on('drain', drained);
  raw.on('close', closed);
  raw.on('error', closed);

  return {
    get full() {
      return full;
    },
    pump,
    send(text) {
      if (open && !full) write(text);
    },
    end() {
      closed();
      raw.end();
    },
    drop,
    flushed: () =>
      new Promise((resolve) => {
        if (!open || raw.writableLength === 0) return resolve();
        const done = (): void => {
          raw.off('close', done);
          resolve();
        };
        raw.on('close', done);
        raw.write('', done);
      }),
  };
}
