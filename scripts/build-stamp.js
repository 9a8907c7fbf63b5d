// Knows whether dist/ is what the sources make of it, so that what has just been built is not built again: `npm cit`
// builds when it installs, and would once more for its tests.
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

/** Inputs of a bundle: these folders and files, which include the versions of the packages. */
const folders = ['src', 'conformance', 'mutants', 'scripts'];
const files = ['package.json', 'package-lock.json', 'tsconfig.json', 'tsconfig.build.json'];

const filesIn = (root, folder) =>
  existsSync(join(root, folder))
    ? readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) => join(entry.parentPath, entry.name))
    : [];

function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths.toSorted()) {
    const content = createHash('sha256').update(readFileSync(path)).digest('hex');
    hash.update(`${path}\0${content}\n`);
  }
  return hash.digest('hex');
}

// Gone with the packages when they are installed anew, and never part of what is published.
const place = (root) => join(root, 'node_modules/.cache/assay/built');

/** Of the sources and of every file in dist/: another file, or one that is missing, is another text. */
function stampOf(root) {
  const sources = [
    ...folders.flatMap((folder) => filesIn(root, folder)),
    ...files.map((name) => join(root, name)),
  ];
  return `sources ${hashOf(sources)}\ndist ${hashOf(filesIn(root, 'dist'))}\n`;
}

export const isBuilt = (root) =>
  existsSync(place(root)) && readFileSync(place(root), 'utf8') === stampOf(root);

/** Called once everything has been built. */
export function markBuilt(root) {
  mkdirSync(dirname(place(root)), { recursive: true });
  writeFileSync(place(root), stampOf(root));
}
