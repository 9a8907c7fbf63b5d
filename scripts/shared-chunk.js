// Keeps what a short run loads in few files: to find and load forty costs it 20 ms more than to load one as large.
import { readFile } from 'node:fs/promises';
import { relative, resolve, sep } from 'node:path';

/** The runs whose start counts: a scenario on a target. */
const starts = ['src/cli/play/command.ts', 'src/run/play-target.ts', 'src/target/remote/remote.ts'];
/** Loaded by what only prints, which needs too little to carry the rest along; and what starts a thread before that. */
const light = new Set([
  'src/cli/check/command.ts',
  'src/cli/completion.ts',
  'src/cli/report.ts',
  'src/cli/schema-files.ts',
  'src/cli/spec.ts',
  'src/spec/asyncapi.ts',
  'src/spec/openapi.ts',
]);

/**
 * esbuild puts modules into one chunk that the same entries reach, so that what twenty commands and parts of commands
 * share falls into thirty chunks. Here everything that is loaded lazily, but for what is light, also imports what
 * `starts` need; then the same entries reach all of it.
 * @param inputs of the metafile of a build without this plugin.
 */
export function sharedChunk({ root, main, inputs }) {
  const imports = (path, lazily) =>
    inputs[path].imports
      .filter((one) => one.path in inputs && (one.kind === 'dynamic-import') === lazily)
      .map((one) => one.path);
  const reach = (paths) => {
    const found = new Set(paths);
    for (const path of found) for (const next of imports(path, false)) found.add(next);
    return found;
  };
  const ours = Object.keys(inputs).filter((path) => path.startsWith('src/'));
  const lazy = new Set(ours.flatMap((path) => imports(path, true)));
  const always = reach([main]);
  const reached = reach(starts);
  const shared = ours.filter((path) => reached.has(path) && !lazy.has(path) && !always.has(path));
  const text = shared.map((path) => `import ${JSON.stringify(resolve(root, path))};`).join('\n');
  return {
    name: 'shared-chunk',
    setup(build) {
      build.onResolve({ filter: /^assay:shared$/ }, () => ({ path: 'shared', namespace: 'assay' }));
      build.onLoad({ filter: /^shared$/, namespace: 'assay' }, () => ({
        contents: text,
        resolveDir: root,
      }));
      build.onLoad({ filter: /\.ts$/ }, async ({ path }) => {
        const name = relative(root, path).split(sep).join('/');
        if (!lazy.has(name) || light.has(name)) return undefined;
        const contents = `${await readFile(path, 'utf8')}\nimport 'assay:shared';\n`;
        return { contents, loader: 'ts' };
      });
    },
  };
}
