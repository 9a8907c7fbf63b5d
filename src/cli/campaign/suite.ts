import { createHash } from 'node:crypto';
import { version } from '../../run/version.ts';
import type { Suite } from '../../simulation/campaign/options.ts';
import { threadCode } from '../threads.ts';

/**
 * Which code plays worlds here. The thread that plays them names the chunks it loads, each by a hash of all that is in
 * it: a digest of that one file stands for everything that could change what comes of a seed.
 */
export const simulationSuite = (): Suite => ({
  version,
  digest: createHash('sha256').update(threadCode('range-thread')).digest('hex'),
});
