import type { JsonWebKey } from 'node:crypto';
import type { Command, Deadline, OutgoingEvent } from '../core/contract.ts';
import type { SavedState, WorldConfig } from '../core/index.ts';

/** What a backend was started with: the same is needed to go on. Plain data. */
export interface JournalOrigin {
  /** As `formatSeed` writes it. */
  readonly seed: string;
  readonly clock: 'system' | 'virtual';
  readonly mutation?: string;
  /** The private key of the tokens, where the seed does not give it again. */
  readonly signingKey?: JsonWebKey;
}

export const journalFormat = 'assay.journal/2';

/** What stands at the beginning of every file of a journal: all that is needed besides its records. */
export interface JournalHead {
  readonly format: typeof journalFormat;
  readonly origin: JournalOrigin;
  readonly config: WorldConfig;
  /** When the journal was begun: milliseconds since the epoch, on the backend's clock. */
  readonly startedAt: number;
}

export const journalHead = (
  origin: JournalOrigin,
  config: WorldConfig,
  startedAt: number,
): JournalHead => ({ format: journalFormat, origin, config, startedAt });

/** One thing that happened. `at`: the moment as of which, in milliseconds since the epoch; never goes back. */
export type JournalRecord =
  /** A writer began. Whatever it draws belongs to its epoch: 1 for the first, 2 for the second ... */
  | { readonly kind: 'start'; readonly at: number; readonly epoch: number }
  /** `events`: how many the core sent, so that a core that does otherwise is found out. */
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
  /** The number that its next event gets; the first is 1. */
  readonly next: number;
  /** Those before it, as far as they are kept. */
  readonly events: readonly SentEvent[];
}

/** A moment whole: what recovery starts from in place of all records before. */
export interface Snapshot {
  /** The last moment that anything is known of. */
  readonly at: number;
  /** The moment as of which the core was last asked; not later. */
  readonly carriedOut: number;
  readonly epoch: number;
  readonly state: SavedState;
  /** Those to come, in the order in which they were asked for. */
  readonly deadlines: readonly Deadline[];
  readonly tails: readonly EventTail[];
}
