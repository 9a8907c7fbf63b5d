import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, sep } from 'node:path';
import { fileURLToPath } from 'node:url';

export const root = fileURLToPath(new URL('../../', import.meta.url));

export interface SourceFile {
  /** Relative to the project's root, with forward slashes. */
  readonly path: string;
  readonly text: string;
  /** The text without comments and string contents, lines kept, for searching calls. */
  readonly code: string;
}

/** Every TypeScript file below a folder of the project. */
export function sourcesIn(folder: string): SourceFile[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => /\.tsx?$/.test(name))
    .toSorted()
    .map((name) => {
      const path = relative(root, join(root, folder, name))
        .split(sep)
        .join('/');
      const text = readFileSync(join(root, path), 'utf8');
      return { path, text, code: withoutProse(text) };
    });
}

const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

/** Comments and the insides of plain strings would make every mention of a banned call a call. */
function withoutProse(text: string): string {
  return text.replace(
    /\/\*[\s\S]*?\*\/|\/\/[^\n]*|'(?:[^'\\\n]|\\.)*'|"(?:[^"\\\n]|\\.)*"/g,
    (found) => blank(found),
  );
}

/** Paths of the modules that a file imports, statically or lazily. */
export function importsOf(file: SourceFile): string[] {
  const found = file.text.matchAll(/(?:\bfrom\s+|\bimport\s*\(\s*|^import\s+)'([^']+)'/gm);
  return [...found].map((match) => match[1] ?? '');
}
