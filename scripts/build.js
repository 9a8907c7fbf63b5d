// Bundles src/cli into dist/, one entry and a chunk for each command, so that a command loads what it needs and no more.
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** `import ... from 'undici'` in src/client takes the part that it uses. */
const agentOnly = {
  name: 'agent-only',
  setup(build) {
    const path = join(root, 'scripts/undici-agent.js');
    build.onResolve({ filter: /^undici$/ }, () => ({ path }));
  },
};

rmSync(join(root, 'dist'), { recursive: true, force: true });
await build({
  absWorkingDir: root,
  entryPoints: { assay: 'src/cli/main.ts' },
  outdir: 'dist',
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
  plugins: [agentOnly],
  logLevel: 'warning',
});
