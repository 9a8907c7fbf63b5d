import { type JournalStore, StoreFailure } from './store.ts';

export interface MemoryStoreOptions {
  /** Maximum number of bytes in all files together; by default without limit. */
  readonly capacity?: number;
  /** Files on the disk at the beginning. */
  readonly files?: ReadonlyMap<string, Uint8Array>;
}

/** A disk in memory with faults on demand, for simulations. Everything happens in the order of its calls. */
export interface MemoryStore extends JournalStore {
  /** Maximum number of bytes in all files together; may be lowered or raised at any time. */
  capacity: number;
  /** Runs the work of a sync of a file: at once, or later as on a slow disk. */
  later: (work: () => void, name: string) => void;
  /** Bytes that were appended and are not synced; they may be lost. */
  readonly unsynced: number;
  /**
   * Kills the writer in the middle of its work: it can do nothing more and gets no callback.
   * @param survives number of bytes that were not synced and are on the disk nevertheless; by default 0
   * @returns the files on the disk, for a store of the next writer
   */
  kill(survives?: number): ReadonlyMap<string, Uint8Array>;
}

interface File {
  /** Appended bytes, in pieces: a file that grows by small records is joined when it is read. */
  pieces: Buffer[];
  length: number;
  synced: number;
}

function bytesOf(file: File): Buffer {
  const whole = Buffer.concat(file.pieces);
  file.pieces = [whole];
  return whole;
}

export function memoryStore(options: MemoryStoreOptions = {}): MemoryStore {
  const files = new Map<string, File>();
  for (const [name, bytes] of options.files ?? [])
    files.set(name, {
      pieces: [Buffer.from(bytes)],
      length: bytes.length,
      synced: bytes.length,
    });
  let alive = true;

  const sum = (of: (file: File) => number): number =>
    [...files.values()].reduce((all, file) => all + of(file), 0);
  const unsyncedIn = ({ length, synced }: File): number => length - synced;
  const found = (name: string): File => {
    const file = files.get(name);
    if (!file) throw new Error(`the store has no file ${name}`);
    return file;
  };

  const store: MemoryStore = {
    capacity: options.capacity ?? Number.POSITIVE_INFINITY,
    later: (work) => work(),
    get unsynced() {
      return sum(unsyncedIn);
    },
    list: () => [...files.keys()],
    read: (name) => Buffer.from(bytesOf(found(name))),
    append(name, bytes) {
      if (!alive) return;
      if (sum(({ length }) => length) + bytes.length > store.capacity)
        throw new StoreFailure('full', 'there is no room left');
      const file = files.get(name) ?? { pieces: [], length: 0, synced: 0 };
      file.pieces.push(Buffer.from(bytes));
      file.length += bytes.length;
      files.set(name, file);
    },
    sync(name, done) {
      if (!alive) return;
      const file = found(name);
      const { length } = file;
      store.later(() => {
        if (!alive) return;
        file.synced = Math.max(file.synced, Math.min(length, file.length));
        done();
      }, name);
    },
    truncate(name, length) {
      if (!alive) return;
      const file = found(name);
      file.pieces = [bytesOf(file).subarray(0, length)];
      file.length = length;
      file.synced = Math.min(file.synced, length);
    },
    rename(from, to) {
      if (!alive) return;
      files.set(to, found(from));
      files.delete(from);
    },
    remove(name) {
      if (alive) files.delete(name);
    },
    kill(survives = 0) {
      alive = false;
      let left = survives;
      const kept = new Map<string, Uint8Array>();
      for (const [name, file] of files) {
        const more = Math.min(left, unsyncedIn(file));
        left -= more;
        kept.set(name, Buffer.from(bytesOf(file).subarray(0, file.synced + more)));
      }
      return kept;
    },
  };
  return store;
}
