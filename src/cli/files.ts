import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Writes one file whole. `secret`: for the owner alone. */
export function writeWhole(path: string, text: string, keep: 'secret' | 'open' = 'open'): void {
  writeAll(dirname(path), [[basename(path), text]], keep === 'secret' ? 0o600 : 0o644);
}

/** Text or the bytes of it, in pieces. */
type Pieces = Iterable<string | Uint8Array>;

/**
 * Writes several files of one directory: all of them as drafts, and then renames these, so that nobody finds half a
 * file.
 */
export function writeAll(
  directory: string,
  files: readonly (readonly [name: string, text: string | Pieces])[],
  mode = 0o666,
): void {
  mkdirSync(directory, { recursive: true });
  const places = files.map(([name, text]) => {
    const path = join(directory, name);
    return { path, draft: `${path}.${process.pid}.tmp`, text };
  });
  try {
    for (const { draft, text } of places) {
      writePieces(draft, typeof text === 'string' ? [text] : text, mode);
    }
    for (const { path, draft } of places) renameSync(draft, path);
  } catch (error) {
    for (const { draft } of places) rmSync(draft, { force: true });
    throw error;
  }
}

function writePieces(path: string, pieces: Pieces, mode: number): void {
  const file = openSync(path, 'w', mode);
  try {
    for (const piece of pieces) writeFileSync(file, piece);
  } finally {
    closeSync(file);
  }
}

export const within = (cwd: string, path: string): string => resolve(cwd, path);
