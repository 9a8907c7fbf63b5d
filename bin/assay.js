#!/usr/bin/env node
import { existsSync } from 'node:fs';
import module from 'node:module';
import { fileURLToPath } from 'node:url';

const built = new URL('../dist/assay.js', import.meta.url);
// Where Node can keep compiled code in its own temporary directory (22.8 and later), every run but the first starts sooner.
module.enableCompileCache?.();
if (existsSync(fileURLToPath(built))) {
  await import(built.href);
} else {
  process.stderr.write(
    'assay is not built yet: dist/assay.js is missing.\nRun `npm run build` in its directory, then try again.\n',
  );
  process.exitCode = 3;
}
