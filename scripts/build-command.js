// Bundles src/cli: its entry, those of its threads, a chunk for each command, and one for what most of them share.
import { readFileSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { sharedChunk } from './shared-chunk.js';
import { bundledFiles } from './third-party.js';

const main = 'src/cli/main.ts';

/** Entries of the threads of the command. */
export const threads = {
  'play-thread': 'src/cli/play/play-thread.ts',
  'shard-thread': 'src/cli/check/shard-thread.ts',
  'range-thread': 'src/cli/campaign/range-thread.ts',
  'watch-thread': 'src/cli/proxy/watch-thread.ts',
};

/** Options that all programs and the library are bundled with. */
export function commonOptions(root) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  return {
    absWorkingDir: root,
    bundle: true,
    splitting: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    chunkNames: 'chunks/[name]-[hash]',
    sourcemap: 'linked',
    sourcesContent: false,
    legalComments: 'none',
    define: { __ASSAY_VERSION__: JSON.stringify(version) },
    // Bundled packages in the CommonJS form still ask for require.
    banner: {
      js: "import { createRequire as assayRequire } from 'node:module'; const require = assayRequire(import.meta.url);",
    },
    logLevel: 'warning',
  };
}

export const commandOptions = {
  // Loaded only by what speaks to a database, and not made to be bundled.
  external: ['pg', 'pg-boss'],
  metafile: true,
  // Node reads less at every start. Names stay, for the stack of an error that is reported to us.
  minifyWhitespace: true,
  minifySyntax: true,
};

/**
 * @param outdir below the root, so that what stays outside of the bundle is found
 * @param replaced plugins that put something else in the place of a source, for tests
 * @returns the files that the bundles hold
 */
export async function buildCommand(root, { outdir = 'dist', replaced = [] } = {}) {
  const options = {
    ...commonOptions(root),
    ...commandOptions,
    entryPoints: { assay: main, ...threads },
    outdir,
  };
  const filesOf = (name) => [`${name}.js`, `${name}.js.map`];
  const { metafile } = await build({
    ...options,
    plugins: replaced,
    write: false,
    sourcemap: false,
  });
  for (const place of [...Object.keys(options.entryPoints).flatMap(filesOf), 'chunks']) {
    rmSync(join(root, outdir, place), { recursive: true, force: true });
  }
  const plugins = [...replaced, sharedChunk({ root, main, inputs: metafile.inputs })];
  return bundledFiles((await build({ ...options, plugins })).metafile);
}
