import { dirname, relative, resolve, sep } from 'node:path';
import type { Sources } from '../scenario/language/load.ts';

/** Relative to where the command was called, with forward slashes, so that ids are the same on every machine. */
export function shortest(file: string, cwd: string): string {
  const path = relative(cwd, file);
  return (path.startsWith('..') ? file : path).split(sep).join('/');
}

/** Files as scenarios name them: relative to where the command was called. */
export const sourcesIn = (cwd: string, read: Sources['read']): Sources => ({
  cache: new Map(),
  read,
  resolve: (file, path) => shortest(resolve(cwd, dirname(file), path), cwd),
});
