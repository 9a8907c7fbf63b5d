// Bundles mutants/runner and runs it: the trial of the suite.
import { runBundled } from './run-bundled.js';

await runBundled('assay-judge', {
  main: 'mutants/runner/main.ts',
  worker: 'mutants/runner/worker.ts',
});
