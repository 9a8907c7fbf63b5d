import type { DialectName } from '../../peer/dialect.ts';

/** Replaces a text that occurs exactly once in a file of test/peer. */
export interface Patch {
  readonly file: 'answers.ts' | 'bodies.ts' | 'order-book.ts' | 'server.ts' | 'tokens.ts';
  readonly find: string;
  readonly replace: string;
}

/** One defect of the peer. */
export interface Flaw {
  readonly id: string;
  /** The part of the document that it breaks. */
  readonly part: string;
  /** The effect that a client can see, and the requests that show it. */
  readonly breaks: string;
  /** Dialects that hide it by their own choice. */
  readonly hiddenIn?: readonly DialectName[];
  readonly patches: readonly Patch[];
}
