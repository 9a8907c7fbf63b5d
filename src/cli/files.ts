import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, resolve } from 'node:path';

/** Writes one file whole. `secret`: for the owner alone. */
export function writeWhole(path: string, text: string, keep: 'secret' | 'open' = 'open'): void {
  writeAll(dirname(path), [[basename(path), text]], keep === 'secret' ? 0o600 : 0o644);
}

/** Text or the bytes of it, in pieces. */
type Pieces = Iterable<string | Uint8Array>;

type File<Text> = readonly [name: string, text: Text];

/**
 * Writes several files of one directory: all of them as drafts, and then renames these, so that nobody finds half a
 * file.
 */
export function writeAll(
  directory: string,
  files: readonly File<string | Pieces>[],
  mode = 0o666,
): void {
  const drafts = openDrafts(directory, mode);
  try {
    for (const [name, text] of files) drafts.write(name, text);
    drafts.keep();
  } catch (error) {
    drafts.drop();
    throw error;
  }
}

/** The same in the order given, where a text may have to wait for those before it. */
export async function writeInTurn(
  directory: string,
  files: readonly File<string | Pieces | (() => Promise<string>)>[],
): Promise<void> {
  const drafts = openDrafts(directory, 0o666);
  try {
    for (const [name, text] of files) {
      drafts.write(name, typeof text === 'function' ? await text() : text);
    }
    drafts.keep();
  } catch (error) {
    drafts.drop();
    throw error;
  }
}

function openDrafts(directory: string, mode: number) {
  mkdirSync(directory, { recursive: true });
  const places: { readonly path: string; readonly draft: string }[] = [];
  return {
    write(name: string, text: string | Pieces): void {
      const path = join(directory, name);
      const draft = `${path}.${process.pid}.tmp`;
      places.push({ path, draft });
      writePieces(draft, typeof text === 'string' ? [text] : text, mode);
    },
    keep(): void {
      for (const { path, draft } of places) renameSync(draft, path);
    },
    drop(): void {
      for (const { draft } of places) rmSync(draft, { force: true });
    },
  };
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
