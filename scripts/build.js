// Bundles src/cli into dist/: its entry, that of its threads, a chunk for each command, and one for what most of them
// share; and beside it the library, unless told to build the `command` alone.
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { buildLibrary } from './build-library.js';
import { sharedChunk } from './shared-chunk.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

const main = 'src/cli/main.ts';

const common = {
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
const options = {
  ...common,
  entryPoints: {
    assay: main,
    'play-thread': 'src/cli/play/play-thread.ts',
    'shard-thread': 'src/cli/check/shard-thread.ts',
  },
  outdir: 'dist',
  metafile: true,
};
const filesOf = (name) => [`${name}.js`, `${name}.js.map`];
const { metafile } = await build({ ...options, write: false });
for (const place of [...Object.keys(options.entryPoints).flatMap(filesOf), 'chunks']) {
  rmSync(join(root, 'dist', place), { recursive: true, force: true });
}
const plugins = [sharedChunk({ root, main, inputs: metafile.inputs })];
const work = [build({ ...options, plugins })];
if (process.argv[2] !== 'command') work.push(buildLibrary(root, common));
await Promise.all(work);
