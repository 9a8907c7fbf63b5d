// Bundles a program of mutants/runner beside the other caches, so that a build of the command line meanwhile does it no
// harm, and runs it: `node scripts/run-bundled.js PROGRAM ARGUMENTS...`
import { rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { commonOptions } from './build-command.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

const worker = 'mutants/runner/worker.ts';
const programs = {
  /** The trial of the suite. */
  judge: { main: 'mutants/runner/main.ts', worker },
  /** The number of worlds that it takes to find each planted defect. */
  canaries: {
    main: 'mutants/runner/worlds/main.ts',
    worker: 'mutants/runner/worlds/worker.ts',
  },
  /**
   * Records what the suite says of each requirement when the reference breaks it: src/handbook/recorded-failures.json.
   * A few minutes.
   */
  record: { main: 'mutants/runner/record-failures.ts', worker },
};

const [name] = process.argv.splice(2, 1);
const outdir = join(root, 'node_modules/.cache', `assay-${name}`, String(process.pid));
await build({
  ...commonOptions(root),
  entryPoints: programs[name],
  outdir,
  splitting: false,
  sourcemap: false,
});
try {
  await import(pathToFileURL(join(outdir, 'main.js')).href);
} finally {
  rmSync(outdir, { recursive: true, force: true });
}
