import { draftName, segmentName } from './file-names.ts';
import { lineOf } from './framing.ts';
import { type Damage, type JournalContents, type ReadResult, readJournal } from './read-journal.ts';
import { noticesOf } from './recover.ts';
import type { JournalHead, JournalRecord } from './records.ts';
import type { SegmentHead } from './snapshot-frames.ts';
import { appendSynced, type JournalStore, StoreFailure } from './store.ts';

export interface OpenJournalOptions {
  readonly store: JournalStore;
  /** Head of a new journal. An existing journal keeps its own. */
  readonly head: JournalHead;
  /** Contents of the store, if they have been read already. */
  readonly read?: ReadResult;
  /** Now, in milliseconds since the epoch. */
  readonly at: number;
  /**
   * Schedules the write of the records that one turn collects; runs the given work once. By default at once, as a
   * simulation needs it: there each command is on disk before the next.
   */
  readonly defer?: (work: () => void) => void;
  /** Number of bytes written since the last snapshot after which the next is made; by default 16 MiB. */
  readonly snapshotAfterBytes?: number;
  /** Called when the content of the disk is no longer known: the writer must stop. */
  readonly onBroken?: (failure: StoreFailure) => void;
}

/** A journal that is open for one writer: its contents, and the position at which the writer continues. */
export interface OpenJournal {
  readonly store: JournalStore;
  readonly head: JournalHead;
  /** Contents that were read; undefined for a new journal. */
  readonly contents: JournalContents | undefined;
  /** Epoch of this writer; already on disk. */
  readonly epoch: number;
  readonly place: { readonly segment: number; readonly bytes: number; readonly records: number };
  readonly notices: readonly string[];
  readonly defer: (work: () => void) => void;
  readonly snapshotAfterBytes: number;
  readonly onBroken: (failure: StoreFailure) => void;
}

export type Opening =
  | { readonly kind: 'open'; readonly journal: OpenJournal }
  | { readonly kind: 'damaged'; readonly damage: Damage }
  | { readonly kind: 'failed'; readonly failure: StoreFailure };

const usualSnapshotAfter = 16 * 1024 * 1024;

/**
 * Reads a journal or creates one, cuts a record that a crash left half-written, and records that a new writer starts.
 * Calls back after that record is on disk: from then on everything derived from the writer's epoch is unique to it.
 */
export function openJournal(options: OpenJournalOptions, done: (opening: Opening) => void): void {
  const { store } = options;
  const read = options.read ?? readJournal(store);
  if (read.kind === 'damaged') return done(read);
  const contents = read.kind === 'read' ? read.contents : undefined;
  try {
    if (!contents)
      return beginSegment(store, options.head, 1, 0, (began) => {
        if (began.kind === 'failed') done(began);
        else start({ segment: 1, bytes: began.bytes, records: 0 });
      });
    if (contents.torn) store.truncate(contents.torn.file, contents.torn.offset);
    for (const name of contents.obsolete) store.remove(name);
    start(contents.end);
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error;
    done({ kind: 'failed', failure: error });
  }

  function start({ segment, bytes, records }: JournalContents['end']): void {
    const epoch = (contents?.epoch ?? 0) + 1;
    const at = Math.max(options.at, contents?.at ?? options.at);
    const record: JournalRecord = { kind: 'start', at, epoch };
    const frame = Buffer.from(lineOf(JSON.stringify(record)));
    appendSynced(store, segmentName(segment), frame, (failure) => {
      if (failure) return done({ kind: 'failed', failure });
      const journal: OpenJournal = {
        store,
        head: contents?.head ?? options.head,
        contents,
        epoch,
        place: { segment, bytes: bytes + frame.length, records: records + 1 },
        notices: contents ? noticesOf(contents) : [],
        defer: options.defer ?? ((work) => work()),
        snapshotAfterBytes: options.snapshotAfterBytes ?? usualSnapshotAfter,
        onBroken: options.onBroken ?? raise,
      };
      done({ kind: 'open', journal });
    });
  }
}

const raise = (failure: StoreFailure): void => {
  throw failure;
};

type SegmentBegun =
  | { readonly kind: 'begun'; readonly bytes: number }
  | { readonly kind: 'failed'; readonly failure: StoreFailure };

/** Creates a segment with its first line. The file gets its name only after that line is on disk. */
export function beginSegment(
  store: JournalStore,
  head: JournalHead,
  number: number,
  records: number,
  done: (begun: SegmentBegun) => void,
): void {
  const said: SegmentHead = { kind: 'segment', number, records, head };
  const frame = Buffer.from(lineOf(JSON.stringify(said)));
  const draft = draftName(segmentName(number));
  store.remove(draft);
  appendSynced(store, draft, frame, (failure) => {
    if (failure) {
      store.remove(draft);
      return done({ kind: 'failed', failure });
    }
    store.rename(draft, segmentName(number));
    done({ kind: 'begun', bytes: frame.length });
  });
}

/** Stores nothing: the replayed records are in a journal already. */
const nowhere: JournalStore = {
  list: () => [],
  read: () => new Uint8Array(),
  append: () => undefined,
  sync: (_, done) => done(),
  truncate: () => undefined,
  rename: () => undefined,
  remove: () => undefined,
};

/** Journal for a world that starts at the beginning of another journal and replays the same commands. */
export const retelling = (contents: JournalContents): OpenJournal => ({
  store: nowhere,
  head: contents.head,
  contents: {
    ...contents,
    records: [],
    at: contents.snapshot?.at ?? contents.head.startedAt,
  },
  epoch: contents.snapshot?.epoch ?? 1,
  place: { segment: 1, bytes: 0, records: 0 },
  notices: [],
  defer: (work) => work(),
  snapshotAfterBytes: Number.POSITIVE_INFINITY,
  onBroken: raise,
});
