/**
 * What passed through the proxy, for whoever reads it. `closed`: the connection is over, ended first by that side;
 * `reset` where it was broken off. `unreachable`: the backend could not be reached, and the client has the proxy's own
 * answer. `unread`: more passes than is read, and nothing more of this connection will be.
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

/** Some of them, and the bytes of all of them one after the other. */
export interface PassedBatch {
  readonly items: readonly PassedItem[];
  readonly bytes: Uint8Array<ArrayBuffer>;
}
