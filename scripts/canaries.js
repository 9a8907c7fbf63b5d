// Bundles mutants/runner/worlds and runs it: how many worlds it takes to find each planted defect.
import { runBundled } from './run-bundled.js';

await runBundled('assay-canaries', {
  main: 'mutants/runner/worlds/main.ts',
  worker: 'mutants/runner/worlds/worker.ts',
});
