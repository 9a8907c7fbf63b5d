import { closeSync, openSync, readSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type LimitName, ownLimits } from '../history/limits.ts';

export type FileText =
  | { readonly ok: true; readonly text: string }
  /** `limit`: it is too long to be read. */
  | { readonly ok: false; readonly reason: string; readonly limit?: LimitName };

const reasons: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'it may not be read',
  EISDIR: 'it is a directory',
  ENOSPC: 'the disk is full',
  EROFS: 'the disk is read-only',
  ENOTDIR: 'a part of its path is no directory',
  EEXIST: 'a file is in its place',
  ENAMETOOLONG: 'its name is too long',
  EADDRINUSE: 'the port is taken',
};

/** Describes a file error in words. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return reasons[code] ?? (error instanceof Error ? error.message : String(error));
}

/**
 * Reads a file that a person named. A device or a pipe may be endless, so the file size of the system is not used: the
 * file is read until it ends or exceeds the limit.
 * @param limit `source.bytes` for files that a person writes, `record.bytes` for files of a run or a browser
 */
export function readText(
  path: string,
  limit: 'source.bytes' | 'record.bytes' = 'source.bytes',
): FileText {
  const most = ownLimits[limit];
  try {
    // Read in chunks: the bytes of a long file and its text are never both in memory.
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    const texts: string[] = [];
    const isWhole = readAtMost(path, most, (piece) => {
      texts.push(decoder.decode(piece, { stream: true }));
    });
    if (!isWhole) return { ok: false, reason: `it has more than ${most} bytes (${limit})`, limit };
    return { ok: true, text: [...texts, decoder.decode()].join('') };
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
}

/** Reads files in the folder of another file, by their plain names. Undefined if a file cannot be read. */
export const filesBeside =
  (path: string) =>
  (name: string): Uint8Array | undefined => {
    try {
      const pieces: Uint8Array[] = [];
      const isWhole = readAtMost(
        join(dirname(path), name),
        ownLimits['answer.body_bytes'],
        (piece) => pieces.push(Uint8Array.from(piece)),
      );
      return isWhole ? Buffer.concat(pieces) : undefined;
    } catch {
      return undefined;
    }
  };

const pieceBytes = 1024 * 1024;

/**
 * Passes a file to `take` in chunks. The memory of a chunk is reused for the next one.
 * @returns false if the file is longer than `most`
 */
function readAtMost(path: string, most: number, take: (piece: Uint8Array) => void): boolean {
  const file = openSync(path, 'r');
  try {
    const memory = Buffer.allocUnsafe(pieceBytes);
    for (let size = 0; size <= most; ) {
      const read = readSync(file, memory);
      if (read === 0) return true;
      take(memory.subarray(0, read));
      size += read;
    }
    return false;
  } finally {
    closeSync(file);
  }
}
