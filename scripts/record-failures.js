// Bundles mutants/runner and records what the suite says of each requirement when the reference breaks it:
// src/handbook/recorded-failures.json. A few minutes.
import { runBundled } from './run-bundled.js';

await runBundled('assay-record', {
  main: 'mutants/runner/record-failures.ts',
  worker: 'mutants/runner/worker.ts',
});
