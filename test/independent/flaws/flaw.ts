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
  /** What a client notices, and by which requests. */
  readonly breaks: string;
  /** Everything that must come together before it shows. */
  readonly circumstances: readonly string[];
  /** How long the backend, or the thing in question, must have been there, if that is more than three minutes. */
  readonly ageMs?: number;
  /** Dialects that hide it by their own choice. */
  readonly hiddenIn?: readonly DialectName[];
  readonly patches: readonly Patch[];
}

export const hour = 3_600_000;
export const minute = 60_000;
