import type { Clock } from '../timeline/clock/clock.ts';
import type { Passed, PassedBatch, PassedItem } from './passed.ts';

/** Copies what passes for whoever reads it, off the way of those who wait for it. */
export interface Tap {
  /** The number of a new connection. */
  open(party: string): ConnectionTap;
  /** So many bytes of what was handed over have been read. */
  read(bytes: number): void;
  /** Hands over what is still held. */
  flush(): void;
}

export interface ConnectionTap {
  request(bytes: Buffer): void;
  answer(bytes: Buffer): void;
  over(what: Extract<Passed, { readonly kind: 'closed' | 'unreachable' }>): void;
}

/** How long copies are held, so that several go at once. */
const holdMs = 5;
/** As much may be handed over and not yet read, in bytes: whoever reads slower than clients send must not use up the memory. */
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

  function flush(): void {
    if (items.length === 0) return;
    const bytes = new Uint8Array(held);
    let at = 0;
    for (const piece of pieces) {
      bytes.set(piece, at);
      at += piece.length;
    }
    const batch = { items, bytes };
    unread += held;
    [items, pieces, held] = [[], [], 0];
    handOver(batch);
  }

  function add(item: PassedItem): void {
    items.push(item);
    if (isArmed) return;
    isArmed = true;
    clock.at(item.at + holdMs, () => {
      isArmed = false;
      flush();
    });
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
    read: (bytes) => void (unread -= bytes),
    flush,
  };
}
