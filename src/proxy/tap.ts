import type { Clock } from '../timeline/clock/clock.ts';
import type { Passed, PassedBatch, PassedItem } from './passed.ts';

/** Copies the traffic for its reader, without delaying the clients. */
export interface Tap {
  open(party: string): ConnectionTap;
  /** Tells the tap that `bytes` bytes of the copies have been read. */
  read(bytes: number): void;
  /**
   * Resolves when everything is read, or after `mostMs` milliseconds: the reader is then told which connections are
   * incomplete.
   */
  drain(mostMs: number): Promise<void>;
}

export interface ConnectionTap {
  request(bytes: Buffer): void;
  answer(bytes: Buffer): void;
  over(what: Extract<Passed, { readonly kind: 'closed' | 'unreachable' }>): void;
}

/** Milliseconds for which copies are held, so that several are handed over at once. */
const holdMs = 5;
/** Bytes of a batch, and bytes that the reader has at a time: only batches that wait here can still be dropped. */
const batchBytes = 1024 * 1024;
/**
 * Maximum number of bytes that wait to be read: a reader that is slower than the clients must not use up the memory.
 */
const mostUnread = 64 * 1024 * 1024;

export function createTap(
  clock: Clock,
  handOver: (batch: PassedBatch) => void,
  most = mostUnread,
): Tap {
  let items: PassedItem[] = [];
  let pieces: Buffer[] = [];
  let [held, unread, connections] = [0, 0, 0];
  let isArmed = false;
  const waiting: PassedBatch[] = [];
  /** Unread bytes that the reader already has. */
  let handed = 0;
  let onRead = (): void => {};

  function close(): void {
    if (items.length === 0) return;
    const bytes = new Uint8Array(held);
    let at = 0;
    for (const piece of pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    waiting.push({ items, bytes });
    unread += held;
    [items, pieces, held] = [[], [], 0];
  }

  function hand(batch: PassedBatch): void {
    handed += batch.bytes.length;
    handOver(batch);
  }

  function next(): void {
    while (handed < batchBytes) {
      const batch = waiting.shift();
      if (!batch) return;
      hand(batch);
    }
  }

  function flush(): void {
    close();
    next();
  }

  function add(item: PassedItem): void {
    items.push(item);
    if (held >= batchBytes) return flush();
    if (isArmed) return;
    isArmed = true;
    clock.at(item.at + holdMs, () => {
      isArmed = false;
      flush();
    });
  }

  /** Drops all waiting batches, and tells the reader that their connections were not read to the end. */
  function giveUp(): void {
    const left = new Map(
      waiting
        .splice(0)
        .flatMap(({ items: some }) => some)
        .map(({ connection, party, at }): [number, PassedItem] => [
          connection,
          { kind: 'unread', connection, party, at },
        ]),
    );
    unread = handed;
    if (left.size > 0) hand({ items: [...left.values()], bytes: new Uint8Array() });
  }

  return {
    open(party) {
      connections += 1;
      const connection = connections;
      let isRead = true;
      const copy = (kind: 'request' | 'answer', bytes: Buffer): void => {
        if (!isRead) return;
        const of = { connection, party, at: clock.now() };
        isRead = unread + held + bytes.length <= most;
        if (!isRead) return add({ kind: 'unread', ...of });
        pieces.push(bytes);
        held += bytes.length;
        add({ kind, bytes: bytes.length, ...of });
      };
      return {
        request: (bytes) => copy('request', bytes),
        answer: (bytes) => copy('answer', bytes),
        over(what) {
          if (isRead) add({ ...what, connection, party, at: clock.now() });
          isRead = false;
        },
      };
    },
    read(bytes) {
      unread -= bytes;
      handed -= bytes;
      next();
      onRead();
    },
    async drain(mostMs) {
      flush();
      await new Promise<void>((resolve) => {
        const forget = clock.at(clock.now() + mostMs, () => resolve());
        onRead = () => {
          if (unread > 0) return;
          forget();
          resolve();
        };
        onRead();
      });
      giveUp();
    },
  };
}
