// Makes one file that needs no Node beside it: this Node with the command line in it (its single executable
// applications). `npm run build:executable [-- FILE]`; the default is build/assay. For another system, run it there.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { inject } from 'postject';
import { commandOptions, commonOptions, threads } from './build-command.js';
import { buildUi, pagesIn } from './build-ui.js';
import { bundledFiles, noticesFile, writeNotices } from './third-party.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const usual = join('build', process.platform === 'win32' ? 'assay.exe' : 'assay');
const executable = resolve(process.argv[2] ?? join(root, usual));
const work = `${executable}.${process.pid}`;
const common = commonOptions(root);

/** Node finds its application in a binary by this text. */
const sentinelFuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';

try {
  // The main module of such an application is in the CommonJS form, and so is what a thread is given as text.
  const { metafile } = await build({
    ...common,
    ...commandOptions,
    entryPoints: { main: 'src/cli/main.ts', ...threads },
    outdir: work,
    splitting: false,
    sourcemap: false,
    format: 'cjs',
    define: { ...common.define, 'import.meta.url': 'assayPlace' },
    banner: { js: "const assayPlace = require('node:url').pathToFileURL(process.execPath).href;" },
  });
  const pages = await buildUi(root);
  writeNotices(root, [...bundledFiles(metafile), ...pages], relative(root, work));
  const assets = [
    [noticesFile, join(work, noticesFile)],
    ...Object.keys(threads).map((name) => [`${name}.js`, join(work, `${name}.js`)]),
    ...pagesIn(root).map((name) => [`ui/${name}.html`, join(root, 'dist', 'ui', `${name}.html`)]),
  ];
  const blob = join(work, 'application.blob');
  const config = {
    main: join(work, 'main.js'),
    output: blob,
    disableExperimentalSEAWarning: true,
    useCodeCache: true,
    assets: Object.fromEntries(assets),
  };
  writeFileSync(join(work, 'config.json'), JSON.stringify(config));
  execFileSync(process.execPath, ['--experimental-sea-config', join(work, 'config.json')], {
    stdio: ['ignore', 'ignore', 'inherit'],
  });

  mkdirSync(dirname(executable), { recursive: true });
  const draft = join(work, 'assay');
  copyFileSync(process.execPath, draft);
  chmodSync(draft, 0o755);
  // macOS refuses a signature that does not fit any more.
  const isMac = process.platform === 'darwin';
  if (isMac) execFileSync('codesign', ['--remove-signature', draft]);
  await inject(draft, 'NODE_SEA_BLOB', readFileSync(blob), {
    sentinelFuse,
    ...(isMac && { machoSegmentName: 'NODE_SEA' }),
  });
  if (isMac) execFileSync('codesign', ['--sign', '-', draft]);
  copyFileSync(draft, executable);
  console.log(executable);
} finally {
  rmSync(work, { recursive: true, force: true });
}
