/**
 * Where the files of one journal are. Small on purpose: what is hard about disks (a write that goes half-way, no room,
 * a sync that takes long) is behind it, so that a test can make all of it happen.
 */
export interface JournalStore {
  /** Names of all files, in any order. */
  list(): readonly string[];
  read(name: string): Uint8Array;
  /**
   * Adds bytes at the end of a file, which is made if need be. They may be lost until they are synced. Where there is
   * no room for all of them, none stay, and a StoreFailure is thrown.
   */
  append(name: string, bytes: Uint8Array): void;
  /**
   * Calls back once all that was appended to the file so far is on disk, perhaps before it returns. With a failure, all
   * that was not synced before is gone from the file.
   */
  sync(name: string, done: (failure?: StoreFailure) => void): void;
  /** Takes away what stands beyond a length; on disk when it returns. */
  truncate(name: string, length: number): void;
  /** Takes the place of a file of that name at once, or does nothing; on disk when it returns. */
  rename(from: string, to: string): void;
  /** No matter whether it is there. */
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
