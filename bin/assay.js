#!/usr/bin/env node
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const built = new URL('../dist/assay.js', import.meta.url);
if (existsSync(fileURLToPath(built))) {
  await import(built.href);
} else {
  process.stderr.write(
    'assay is not built yet: dist/assay.js is missing.\nRun `npm run build` in its directory, then try again.\n',
  );
  process.exitCode = 3;
}
