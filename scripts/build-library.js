// Bundles what `exports` of package.json names into dist/lib/, apart from the command so that its chunks stay as they
// are, and writes the declarations of it into dist/types/.
import { execFile } from 'node:child_process';
import { copyFileSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, relative, resolve, sep } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { bundledFiles } from './third-party.js';

/** Each is an entry of `exports`; its source is src/lib/NAME.ts. */
export const libraryEntries = [
  'index',
  'actions',
  'reference',
  'history',
  'scenario',
  'vitest',
  'arbitraries',
];

/**
 * @param common options that the command is bundled with too
 * @returns the files that the bundles hold
 */
export async function buildLibrary(root, common) {
  for (const name of ['lib', 'types']) {
    rmSync(join(root, 'dist', name), { recursive: true, force: true });
  }
  const [{ metafile }] = await Promise.all([
    build({
      ...common,
      entryPoints: Object.fromEntries(
        libraryEntries.map((name) => [name, join(root, 'src', 'lib', `${name}.ts`)]),
      ),
      outdir: 'dist/lib',
      sourcemap: false,
      metafile: true,
      external: ['vitest', 'fast-check'],
    }),
    writeTypes(root),
  ]);
  return bundledFiles(metafile);
}

async function writeTypes(root) {
  const require = createRequire(import.meta.url);
  const tsc = join(dirname(require.resolve('typescript/package.json')), 'bin', 'tsc');
  try {
    await promisify(execFile)(process.execPath, [tsc, '-p', join(root, 'tsconfig.build.json')]);
  } catch (error) {
    throw new Error(`the declarations could not be written:\n${error.stdout}`);
  }
  keepReachable(root, join(root, 'dist', 'types'));
}

/** Types of the one package that declarations name, so that users need not install it. */
const schemaTypes = 'typebox-types.d.ts';

const imported = /(\bfrom |\bimport\(|^import )(['"])(\.[^'"]+)\.ts\2/gm;

/** The compiler writes a declaration of every source it reads: users get those that the entries lead to. */
function keepReachable(root, types) {
  const found = new Set(libraryEntries.map((name) => join(types, 'src', 'lib', `${name}.d.ts`)));
  copyFileSync(join(root, 'scripts', schemaTypes), join(types, schemaTypes));
  found.add(join(types, schemaTypes));
  for (const path of found) {
    const toTypes = relative(dirname(path), join(types, schemaTypes)).split(sep).join('/');
    const text = readFileSync(path, 'utf8').replace(
      /(['"])typebox\1/g,
      `'${toTypes.startsWith('.') ? '' : './'}${toTypes.replace('.d.ts', '.ts')}'`,
    );
    for (const [, , , wanted] of text.matchAll(imported)) {
      found.add(`${resolve(dirname(path), wanted)}.d.ts`);
    }
    writeFileSync(path, text.replace(imported, '$1$2$3.js$2'));
  }
  for (const name of readdirSync(types, { recursive: true, encoding: 'utf8' })) {
    const path = join(types, name);
    if (statSync(path).isFile() && !found.has(path)) rmSync(path);
  }
  removeEmpty(types);
}

function removeEmpty(folder) {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    if (entry.isDirectory()) removeEmpty(join(folder, entry.name));
  }
  if (readdirSync(folder).length === 0) rmSync(folder, { recursive: true });
}
