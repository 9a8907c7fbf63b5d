import { dirname, isAbsolute, relative, resolve } from 'node:path';
import { entryOf, parseYaml, withValues, type YamlNode } from '../../yaml/index.ts';

const child = (node: YamlNode | undefined, key: string): YamlNode | undefined =>
  node?.kind === 'map' ? entryOf(node, key)?.value : undefined;

/** The key file that a target file names, as it is written there. */
function keyFileIn(text: string): string | undefined {
  const parsed = parseYaml({ file: '', text });
  const node = parsed.ok
    ? child(child(child(parsed.tree, 'signing'), 'private_key'), 'file')
    : undefined;
  return node?.kind === 'scalar' && typeof node.value === 'string' ? node.value : undefined;
}

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
  const keyFile = keyFileIn(text);
  const moved =
    keyFile === undefined || isAbsolute(keyFile)
      ? undefined
      : relative(dirname(to), resolve(dirname(path), keyFile));
  return withValues(text, [
    ...[...baseUrls].map(([name, url]) => [['participants', name, 'base_url'], url] as const),
    ...(moved === undefined ? [] : [[['signing', 'private_key', 'file'], moved] as const]),
  ]);
}
