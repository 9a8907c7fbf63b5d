import { build } from 'esbuild';
import { at } from './process.ts';

/** A file of this folder as it would be shipped: what tsx adds to every function would be measured too. */
export async function bundled(name: string): Promise<string> {
  const outfile = at(`../node_modules/.cache/assay-bench/${name}.mjs`);
  await build({
    entryPoints: [at(`./${name}.ts`)],
    outfile,
    bundle: true,
    packages: 'external',
    platform: 'node',
    format: 'esm',
    target: 'node20.19',
    logLevel: 'warning',
  });
  return outfile;
}
