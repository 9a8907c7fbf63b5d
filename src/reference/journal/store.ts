/**
 * Storage for the files of one journal. Small on purpose: the problems of disks (a partial write, no room, a slow sync)
 * are behind this interface, so that a test can cause all of them.
 */
export interface JournalStore {
  /** Names of all files, in any order. */
  list(): readonly string[];
  read(name: string): Uint8Array;
  /**
   * Adds bytes at the end of a file; creates the file if it is missing. The bytes may be lost until they are synced. If
   * there is no room for all of them, none stay, and a StoreFailure is thrown.
   */
  append(name: string, bytes: Uint8Array): void;
  /**
   * Calls back after all bytes appended to the file so far are on disk, perhaps before it returns. With a failure, all
   * bytes that were not synced before are gone from the file.
   */
  sync(name: string, done: (failure?: StoreFailure) => void): void;
  /** Cuts a file to a length; on disk when it returns. */
  truncate(name: string, length: number): void;
  /** Renames a file atomically and replaces a file of the new name; on disk when it returns. */
  rename(from: string, to: string): void;
  /** Does nothing if the file is missing. */
  remove(name: string): void;
}

/** `full`: there may be room later. `broken`: nobody knows what is on the disk, and nothing more may be promised. */
export class StoreFailure extends Error {
  readonly kind: 'full' | 'broken';

  constructor(kind: 'full' | 'broken', message: string) {
    super(message);
    this.kind = kind;
  }
}

/** Appends bytes to a file and syncs it. Calls back after all of the file is on disk, or with the failure of either. */
export function appendSynced(
  store: JournalStore,
  name: string,
  bytes: Uint8Array,
  done: (failure?: StoreFailure) => void,
): void {
  try {
    store.append(name, bytes);
  } catch (error) {
    if (!(error instanceof StoreFailure)) throw error;
    return done(error);
  }
  store.sync(name, done);
}
