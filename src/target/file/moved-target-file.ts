import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { withValues } from '../../yaml/index.ts';

/**
 * A target file whose parties are reached elsewhere, to be written to another place; all else in it stays, its comments
 * too.
 * @param baseUrls by the names of the parties
 */
export function movedTargetFile(
  { path, text }: { readonly path: string; readonly text: string },
  to: string,
  baseUrls: ReadonlyMap<string, string>,
): string {
  const moved = (file: string): string =>
    isAbsolute(file) ? file : relative(dirname(to), resolve(dirname(path), file));
  return withValues(text, [
    ...[...baseUrls].map(([name, url]) => [['participants', name, 'base_url'], url] as const),
    [['signing', 'private_key', 'file'], moved],
  ]);
}
