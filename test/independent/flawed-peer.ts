import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import type { Peer, startPeer } from '../peer/server.ts';
import type { Flaw } from './flaws/flaw.ts';

type PeerOptions = Parameters<typeof startPeer>[0];

const folder = join(import.meta.dirname, '../peer');
const decimal = pathToFileURL(
  createRequire(import.meta.url).resolve('decimal.js/decimal.mjs'),
).href;

/** The source of a file of test/peer. */
export const sourceOf = (file: string): string => readFileSync(join(folder, file), 'utf8');

/**
 * The source with the patches of a flaw. Throws if a text to replace does not occur exactly once.
 */
export function patchedSource({ id, patches }: Pick<Flaw, 'id' | 'patches'>, file: string): string {
  let source = sourceOf(file);
  for (const patch of patches) {
    if (patch.file !== file) continue;
    const [before = '', after, ...more] = source.split(patch.find);
    if (after === undefined || more.length > 0)
      throw new Error(`${id}: not exactly once in ${file}: ${patch.find}`);
    source = before + patch.replace + after;
  }
  return source;
}

/** Starts the peer of test/peer with one flaw, patched in memory. */
export async function startFlawedPeer(flaw: Flaw, options: PeerOptions): Promise<Peer> {
  const { outputFiles } = await build({
    entryPoints: [join(folder, 'server.ts')],
    bundle: true,
    write: false,
    format: 'esm',
    platform: 'node',
    logLevel: 'silent',
    plugins: [
      {
        name: 'flaw',
        setup: (bundle) => {
          // Without a place on disk the bundle cannot find packages by their names.
          bundle.onResolve({ filter: /^decimal\.js$/ }, () => ({ path: decimal, external: true }));
          bundle.onLoad({ filter: /[/\\]test[/\\]peer[/\\][\w-]+\.ts$/ }, ({ path }) => ({
            contents: patchedSource(flaw, path.slice(folder.length + 1)),
            loader: 'ts',
          }));
        },
      },
    ],
  });
  const code = Buffer.from(outputFiles[0]?.contents ?? []).toString('base64');
  const url = `data:text/javascript;base64,${code}`;
  const server: { startPeer: typeof startPeer } = await import(/* @vite-ignore */ url);
  return server.startPeer(options);
}
