import { draftName, segmentName, snapshotName } from './file-names.ts';
import { lineOf } from './framing.ts';
import { beginSegment, type OpenJournal } from './open-journal.ts';
import type { JournalRecord, Snapshot } from './records.ts';
import { snapshotFrames } from './snapshot-frames.ts';
import { appendSynced, StoreFailure } from './store.ts';

/** Callbacks from a writer to the world whose records it writes. */
export interface JournalOwner {
  /** The batch is complete: the world notes this moment; for a `snapshot` it notes its whole state. */
  seal(purpose: 'mark' | 'snapshot'): {
    /** All up to this moment is on disk. */
    keep(): void;
    /** Snapshot of the moment, if that was the purpose; to be called after `keep` and the answers. */
    readonly snapshot?: () => Snapshot;
  };
  /** Undoes everything since the last batch that was kept. */
  rollBack(): void;
}

interface Batch {
  readonly lines: string[];
  readonly waiting: ((outcome: 'kept' | 'lost') => void)[];
}
const emptyBatch = (): Batch => ({ lines: [], waiting: [] });

/** Writes records in batches: while one goes to disk, the next is collected. Each batch costs one sync. */ export function createWriter(
  journal: OpenJournal,
  owner: JournalOwner,
) {
  const { store, defer, snapshotAfterBytes } = journal;
  let { segment, records } = journal.place;
  let next = emptyBatch();
  let running: Batch | undefined;
  let asked = false;
  let stopped = false;
  /** While a segment is created, nothing is written; while a snapshot is written, no other is started. */
  let turning = false;
  let snapshotting = false;
  let sinceSnapshot = journal.place.bytes;
  let snapshotBytes = 0;

  /** False while the new records are smaller than the last snapshot: a new snapshot would save no reading. */
  const wantsSnapshot = (): boolean =>
    !snapshotting && sinceSnapshot >= Math.max(snapshotAfterBytes, snapshotBytes);

  /** Allows the write of all appended records. */
  function commit(): void {
    if (asked || running || turning || stopped || next.lines.length === 0) return;
    asked = true;
    defer(() => {
      asked = false;
      write();
    });
  }

  function write(): void {
    if (running || turning || stopped || next.lines.length === 0) return;
    const batch = next;
    running = batch;
    next = emptyBatch();
    const sealed = owner.seal(wantsSnapshot() ? 'snapshot' : 'mark');
    const bytes = Buffer.from(batch.lines.join(''));
    const file = segmentName(segment);
    appendSynced(store, file, bytes, (failure) => {
      if (stopped) return;
      if (failure) return lose(failure);
      running = undefined;
      records += batch.lines.length;
      sinceSnapshot += bytes.length;
      sealed.keep();
      for (const done of batch.waiting) done('kept');
      if (sealed.snapshot) turn(sealed.snapshot());
      // Records collected meanwhile have waited long enough.
      write();
    });
  }

  function lose(failure: StoreFailure): void {
    if (failure.kind === 'broken') {
      stopped = true;
      return journal.onBroken(failure);
    }
    const waiting = [...(running?.waiting ?? []), ...next.waiting];
    running = undefined;
    next = emptyBatch();
    owner.rollBack();
    for (const done of waiting) done('lost');
  }

  /** Starts a new segment for all further records. The snapshot replaces everything before it, after it is whole. */
  function turn(snapshot: Snapshot): void {
    const number = segment + 1;
    snapshotting = true;
    turning = true;
    beginSegment(store, journal.head, number, records, (begun) => {
      if (stopped) return;
      turning = false;
      sinceSnapshot = 0;
      if (begun.kind === 'failed') {
        if (begun.failure.kind === 'broken') return lose(begun.failure);
        snapshotting = false;
      } else {
        segment = number;
        const place = { number, records, head: journal.head };
        writeSnapshot(number, snapshotFrames(place, snapshot));
      }
      commit();
    });
  }

  function writeSnapshot(number: number, frames: Iterator<Buffer>): void {
    const name = snapshotName(number);
    const draft = draftName(name);
    let bytes = 0;
    const giveUp = (): void => {
      store.remove(draft);
      snapshotting = false;
    };
    function more(): void {
      if (stopped) return;
      const frame = frames.next();
      if (frame.done) return finish();
      try {
        store.append(draft, frame.value);
      } catch (error) {
        if (!(error instanceof StoreFailure)) throw error;
        return giveUp();
      }
      bytes += frame.value.length;
      defer(more);
    }
    function finish(): void {
      store.sync(draft, (failure) => {
        if (stopped) return;
        if (failure) return giveUp();
        store.rename(draft, name);
        for (let old = number - 1; old > 0; old -= 1) {
          const [oldSegment, oldSnapshot] = [segmentName(old), snapshotName(old)];
          if (!store.list().includes(oldSegment) && !store.list().includes(oldSnapshot)) break;
          store.remove(oldSegment);
          store.remove(oldSnapshot);
        }
        snapshotBytes = bytes;
        snapshotting = false;
      });
    }
    store.remove(draft);
    more();
  }

  return {
    append(record: JournalRecord): void {
      next.lines.push(lineOf(JSON.stringify(record)));
    },
    /** Calls back in order after all earlier records are on disk; at once if they are. `lost`: they were rolled back. */
    after(done: (outcome: 'kept' | 'lost') => void): void {
      if (next.lines.length > 0) next.waiting.push(done);
      else if (running) running.waiting.push(done);
      else done('kept');
    },
    commit,
    /** Stops all writes and all callbacks. */
    stop(): void {
      stopped = true;
    },
    get stopped() {
      return stopped;
    },
  };
}
