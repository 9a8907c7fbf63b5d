import type { ServerResponse } from 'node:http';
import type { Feed, FeedEntry } from './feed.ts';

interface SubscriberOptions {
  readonly feed: Feed;
  readonly from: number;
  readonly raw: ServerResponse;
  /** True if the event is within the stream's filter. */
  readonly wants: (retained: FeedEntry) => boolean;
  /** The text to send; undefined sends nothing. */
  readonly textOf: (retained: FeedEntry) => string | undefined;
  /** A reader is cut off if more events than this came while its connection took none. It can resume then. */
  readonly maxBacklog: number;
  readonly onClose: () => void;
}

export type Subscriber = ReturnType<typeof createSubscriber>;

/**
 * One open stream: its position in its party's feed, and the connection that it writes to.
 * A reader has no buffer of its own beyond what its connection holds: while that is full its position stays,
 * and it goes on from there when the connection drains.
 */
export function createSubscriber(options: SubscriberOptions) {
  const { feed, raw, wants, textOf } = options;
  let at = Math.max(options.from, feed.first);
  let full = false;
  /** The feed's next number at the moment when the connection was last found full. */
  let stoodStillAt = 0;
  let open = true;

  function write(text: string): void {
    full = !raw.write(text);
    if (full) stoodStillAt = feed.next;
  }

  /** Writes further events, as far as the connection takes them. */
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
    // If the feed no longer keeps the next event, the stream would continue with a gap that its reader cannot see.
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

  /** Cuts the connection. */
  function drop(): void {
    closed();
    raw.destroy();
  }

  raw.on('drain', drained);
  raw.on('close', closed);
  raw.on('error', closed);

  return {
    /** True if the connection takes nothing more for now. */
    get full() {
      return full;
    },
    pump,
    /** Writes a message that is no part of the feed, unless the connection is behind anyway. */
    send(text: string): void {
      if (open && !full) write(text);
    },
    /** Ends the stream normally. */
    end(): void {
      closed();
      raw.end();
    },
    drop,
    /** Resolves after all written data has left this process, or the connection is gone. */
    flushed: () =>
      new Promise<void>((resolve) => {
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
