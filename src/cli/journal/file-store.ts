import {
  closeSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  fsyncSync,
  ftruncateSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { type JournalStore, StoreFailure } from '../../reference/journal/index.ts';
import { reasonOf } from '../../run/read-text.ts';

interface OpenFile {
  readonly descriptor: number;
  length: number;
  /** Number of bytes that are on disk. */
  synced: number;
}

export interface FileStore extends JournalStore {
  close(): void;
}

const noRoom: readonly unknown[] = ['ENOSPC', 'EDQUOT', 'EFBIG'];

/**
 * The files of a journal in a directory. Appended bytes go to the operating system at once, and to the disk with a
 * sync, which the event loop does not wait for.
 * @param capacity total number of bytes that may be appended, for tests; by default the disk is the only limit
 */
export function fileStore(
  directory: string,
  capacity: () => number = () => Number.POSITIVE_INFINITY,
): FileStore {
  const open = new Map<string, OpenFile>();
  let appended = 0;

  function fileOf(name: string): OpenFile {
    const known = open.get(name);
    if (known) return known;
    const descriptor = openSync(join(directory, name), 'a', 0o600);
    const { size } = fstatSync(descriptor);
    const file = { descriptor, length: size, synced: size };
    open.set(name, file);
    return file;
  }

  function shut(name: string): void {
    const file = open.get(name);
    if (file) closeSync(file.descriptor);
    open.delete(name);
  }

  /** Back to a length, on disk; or nobody knows what is there. */
  function cut(file: OpenFile, length: number): void {
    try {
      ftruncateSync(file.descriptor, length);
      fdatasyncSync(file.descriptor);
    } catch (error) {
      throw new StoreFailure(
        'broken',
        `what could not be written cannot be cut: ${reasonOf(error)}`,
      );
    }
    file.length = length;
    file.synced = Math.min(file.synced, length);
  }

  function failureOf(error: unknown, file: OpenFile, length: number): StoreFailure {
    if (error instanceof StoreFailure && error.kind === 'broken') return error;
    const code = (error as NodeJS.ErrnoException).code;
    const full = error instanceof StoreFailure || noRoom.includes(code);
    if (!full) return new StoreFailure('broken', reasonOf(error));
    try {
      cut(file, length);
    } catch (broken) {
      return broken as StoreFailure;
    }
    return new StoreFailure('full', reasonOf(error));
  }

  function syncDirectory(): void {
    const descriptor = openSync(directory, 'r');
    try {
      fsyncSync(descriptor);
    } finally {
      closeSync(descriptor);
    }
  }

  return {
    list: () => readdirSync(directory),
    read: (name) => readFileSync(join(directory, name)),
    append(name, bytes) {
      const file = fileOf(name);
      const before = file.length;
      try {
        if (appended + bytes.length > capacity())
          throw new StoreFailure('full', 'there is no room left');
        for (let at = 0; at < bytes.length; )
          at += writeSync(file.descriptor, bytes, at, bytes.length - at);
      } catch (error) {
        throw failureOf(error, file, before);
      }
      file.length = before + bytes.length;
      appended += bytes.length;
    },
    sync(name, done) {
      const file = fileOf(name);
      const { length, descriptor } = file;
      fdatasync(descriptor, (error) => {
        if (error) return done(failureOf(error, file, file.synced));
        file.synced = Math.max(file.synced, length);
        done();
      });
    },
    truncate: (name, length) => cut(fileOf(name), length),
    rename(from, to) {
      shut(from);
      renameSync(join(directory, from), join(directory, to));
      syncDirectory();
    },
    remove(name) {
      shut(name);
      rmSync(join(directory, name), { force: true });
    },
    close() {
      for (const name of open.keys()) shut(name);
    },
  };
}
