import { closeSync, mkdirSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';

/** Writes beside the place and then renames, so that nobody finds half a file. `secret`: for the owner alone. */
export function writeWhole(path: string, text: string, keep: 'secret' | 'open' = 'open'): void {
  mkdirSync(dirname(path), { recursive: true });
  const draft = `${path}.${process.pid}.tmp`;
  try {
    writeFileSync(draft, text, { mode: keep === 'secret' ? 0o600 : 0o644 });
    renameSync(draft, path);
  } catch (error) {
    rmSync(draft, { force: true });
    throw error;
  }
}

/** Text or the bytes of it, in pieces. */
type Pieces = Iterable<string | Uint8Array>;

type Text = string | Pieces;

/** Writes several files of one directory, all drafts before the first rename. Answers their paths. */
export function writeAll(
  directory: string,
  files: readonly (readonly [name: string, text: Text])[],
): readonly string[] {
  mkdirSync(directory, { recursive: true });
  const places = files.map(([name, text]) => {
    const path = join(directory, name);
    return { path, draft: `${path}.${process.pid}.tmp`, text };
  });
  try {
    for (const { draft, text } of places)
      writePieces(draft, typeof text === 'string' ? [text] : text);
    for (const { path, draft } of places) renameSync(draft, path);
  } catch (error) {
    for (const { draft } of places) rmSync(draft, { force: true });
    throw error;
  }
  return places.map(({ path }) => path);
}

function writePieces(path: string, pieces: Pieces): void {
  const file = openSync(path, 'w');
  try {
    for (const piece of pieces) writeFileSync(file, piece);
  } finally {
    closeSync(file);
  }
}

export const within = (cwd: string, path: string): string => resolve(cwd, path);
