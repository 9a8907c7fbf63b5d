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
};

/** What went wrong with a file, in words. */
export function reasonOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return reasons[code] ?? (error instanceof Error ? error.message : String(error));
}

/**
 * Reads a file that a person named. A device or a pipe may go on without end, so the size that the system tells is not
 * asked: it is read until it ends or is too long.
 * @param limit of what a person writes, or of what a run or a browser wrote
 */
export function readText(
  path: string,
  limit: 'source.bytes' | 'record.bytes' = 'source.bytes',
): FileText {
  const most = ownLimits[limit];
  try {
    const bytes = readAtMost(path, most);
    if (!bytes) return { ok: false, reason: `it has more than ${most} bytes (${limit})`, limit };
    return { ok: true, text: bytes.toString('utf8') };
  } catch (error) {
    return { ok: false, reason: reasonOf(error) };
  }
}

/** Reads files that stand beside another, by their plain names; undefined for one that cannot be read. */
export const filesBeside =
  (path: string) =>
  (name: string): Uint8Array | undefined => {
    try {
      return readAtMost(join(dirname(path), name), ownLimits['answer.body_bytes']);
    } catch {
      return undefined;
    }
  };

const pieceBytes = 1024 * 1024;

function readAtMost(path: string, most: number): Buffer | undefined {
  const file = openSync(path, 'r');
  try {
    const pieces: Buffer[] = [];
    for (let size = 0; size <= most; ) {
      const piece = Buffer.allocUnsafe(pieceBytes);
      const read = readSync(file, piece);
      if (read === 0) return Buffer.concat(pieces, size);
      pieces.push(piece.subarray(0, read));
      size += read;
    }
    return undefined;
  } finally {
    closeSync(file);
  }
}
