// Makes one file that needs no Node beside it: this Node with the command line in it (its single executable
// applications). `npm run build:executable [-- FILE]`; the default is build/assay. For another system, run it there.
import { execFileSync } from 'node:child_process';
import { chmodSync, copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { inject } from 'postject';
import { buildUi, pagesIn } from './build-ui.js';
import { bundledFiles, noticesFile, writeNotices } from './third-party.js';

const root = dirname(dirname(fileURLToPath(import.meta.url)));
const usual = join('build', process.platform === 'win32' ? 'assay.exe' : 'assay');
const executable = resolve(process.argv[2] ?? join(root, usual));
const work = `${executable}.${process.pid}`;
const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** Node finds its application in a binary by this text. */
const sentinelFuse = 'NODE_SEA_FUSE_fce680ab2cc467b6e072b8b5df1996b2';
const threads = {
  'play-thread': 'src/cli/play/play-thread.ts',
  'shard-thread': 'src/cli/check/shard-thread.ts',
  'range-thread': 'src/cli/campaign/range-thread.ts',
  'watch-thread': 'src/cli/proxy/watch-thread.ts',
};

try {
  // The main module of such an application is in the CommonJS form, and so is what a thread is given as text.
  const { metafile } = await build({
    absWorkingDir: root,
    entryPoints: { main: 'src/cli/main.ts', ...threads },
    outdir: work,
    bundle: true,
    platform: 'node',
    format: 'cjs',
    target: 'node20.19',
    minifyWhitespace: true,
    minifySyntax: true,
    metafile: true,
    legalComments: 'none',
    // Loaded only for campaigns, which need the package from npm.
    external: ['pg', 'pg-boss'],
    define: {
      __ASSAY_VERSION__: JSON.stringify(version),
      'import.meta.url': 'assayPlace',
    },
    banner: { js: "const assayPlace = require('node:url').pathToFileURL(process.execPath).href;" },
    logLevel: 'warning',
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
