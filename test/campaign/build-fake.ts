import { mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { join, relative } from 'node:path';
import type { Plugin } from 'esbuild';
import { buildCommand } from '../../scripts/build-command.js';
import { root } from '../architecture/source.ts';

/** The command as it is shipped, but for the worlds it plays. */
export interface FakeBuild {
  readonly command: string;
  remove(): void;
}

/**
 * Bundles the command with fake worlds from a file of this folder. Its digest is that of another
 * suite, since its code differs.
 */
export async function buildFake(
  worlds: 'fake-world.ts' | 'quiet-world.ts' = 'fake-world.ts',
): Promise<FakeBuild> {
  const fake = JSON.stringify(join(root, 'test/campaign', worlds));
  const replaced: Plugin = {
    name: 'fake-worlds',
    setup(build) {
      build.onLoad({ filter: /src\/cli\/campaign\/worlds\.ts$/ }, () => ({
        contents: `export { runWorld } from ${fake};\n`,
        loader: 'ts',
      }));
    },
  };
  // Below the root, where the packages that stay outside of the bundle are found.
  mkdirSync(join(root, '.built'), { recursive: true });
  const path = mkdtempSync(join(root, '.built', 'fake-'));
  await buildCommand(root, { outdir: relative(root, path), replaced: [replaced] });
  return {
    command: join(path, 'assay.js'),
    remove: () => rmSync(path, { recursive: true, force: true }),
  };
}
