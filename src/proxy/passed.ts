/**
 * One piece of traffic through the proxy, for its reader. `closed`: the connection is over; `by` ended it first;
 * `reset` if it was broken off. `unreachable`: the backend could not be reached, and the client got the proxy's own
 * answer. `unread`: there is more traffic than the reader takes, and the rest of this connection will not be read.
 */
export type Passed =
  | { readonly kind: 'request' | 'answer'; readonly bytes: number }
  | { readonly kind: 'closed'; readonly by: 'client' | 'backend'; readonly reset: boolean }
  | { readonly kind: 'unreachable'; readonly reason: string }
  | { readonly kind: 'unread' };

export type PassedItem = Passed & {
  /** Number of the connection. */
  readonly connection: number;
  readonly party: string;
  /** Milliseconds since the epoch. */
  readonly at: number;
};

/** Some items, and the bytes of all of them one after the other. */
export interface PassedBatch {
  readonly items: readonly PassedItem[];
  readonly bytes: Uint8Array<ArrayBuffer>;
}
