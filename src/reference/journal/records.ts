import type { JsonWebKey } from 'node:crypto';
import type { Command, Deadline, OutgoingEvent } from '../core/contract.ts';
import type { SavedState, WorldConfig } from '../core/index.ts';

/** Start options of a backend: the same are needed to continue its journal. Plain data. */
export interface JournalOrigin {
  /** As `formatSeed` writes it. */
  readonly seed: string;
  readonly clock: 'system' | 'virtual';
  readonly mutation?: string;
  /** The private key of the tokens, if the seed does not give it again. */
  readonly signingKey?: JsonWebKey;
}

export const journalFormat = 'assay.journal/2';

/** Beginning of every file of a journal: all data that is needed besides its records. */
export interface JournalHead {
  readonly format: typeof journalFormat;
  readonly origin: JournalOrigin;
  readonly config: WorldConfig;
  /** Start of the journal: milliseconds since the epoch, on the backend's clock. */
  readonly startedAt: number;
}

export const journalHead = (
  origin: JournalOrigin,
  config: WorldConfig,
  startedAt: number,
): JournalHead => ({ format: journalFormat, origin, config, startedAt });

/** One entry of a journal. `at`: its moment in milliseconds since the epoch; never goes back. */
export type JournalRecord =
  /** A writer started. All its draws belong to its epoch: 1 for the first writer, 2 for the second ... */
  | { readonly kind: 'start'; readonly at: number; readonly epoch: number }
  /** `events`: number of events that the core sent, to detect a core that behaves differently. */
  | {
      readonly kind: 'command';
      readonly at: number;
      readonly command: Command;
      readonly events: number;
    }
  /** A virtual clock was moved, beyond the last command perhaps. */
  | { readonly kind: 'clock'; readonly at: number };

export type CommandRecord = Extract<JournalRecord, { readonly kind: 'command' }>;

/** An event as streams send it: with a mutation, it may have any name. */
export interface SentEvent extends Omit<OutgoingEvent, 'event'> {
  readonly event: string;
}

/** The last events that were sent to one party. */
export interface EventTail {
  readonly to: string;
  /** Number of the party's next event; the first is 1. */
  readonly next: number;
  /** Events before `next`, as far as they are kept. */
  readonly events: readonly SentEvent[];
}

/** Complete state at one moment. Recovery starts from it instead of all earlier records. */
export interface Snapshot {
  /** Latest moment of the world, in milliseconds since the epoch. */
  readonly at: number;
  /** Moment of the last command that reached the core; not later than `at`. */
  readonly carriedOut: number;
  readonly epoch: number;
  readonly state: SavedState;
  /** Pending deadlines, in the order in which they are carried out. */
  readonly deadlines: readonly Deadline[];
  readonly tails: readonly EventTail[];
}
