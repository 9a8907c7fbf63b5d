import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { version } from '../../run/version.ts';
import type { Suite } from '../../simulation/campaign/options.ts';
import { bundled } from '../threads.ts';

/**
 * Which code plays worlds here. The thread that plays them names the chunks it loads, each by a hash of all that is in
 * it: a digest of that one file stands for everything that could change what comes of a seed.
 */
export const simulationSuite = (): Suite => ({
  version,
  digest: createHash('sha256')
    .update(readFileSync(bundled('range-thread')))
    .digest('hex'),
});
