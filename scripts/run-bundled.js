// Bundles programs of the repository beside the other caches, so that a build of the command line meanwhile does them no
// harm, and runs one.
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));

/** Bundles all entry points, and runs `main`. */
export async function runBundled(name, entryPoints) {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const outdir = join(root, 'node_modules/.cache', name, String(process.pid));

  await build({
    absWorkingDir: root,
    entryPoints,
    outdir,
    outExtension: { '.js': '.js' },
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    legalComments: 'none',
    define: { __ASSAY_VERSION__: JSON.stringify(version) },
    banner: {
      js: "import { createRequire as assayRequire } from 'node:module'; const require = assayRequire(import.meta.url);",
    },
    logLevel: 'warning',
  });
  try {
    await import(pathToFileURL(join(outdir, 'main.js')).href);
  } finally {
    rmSync(outdir, { recursive: true, force: true });
  }
}
