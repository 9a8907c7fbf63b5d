import { createHash } from 'node:crypto';
import { version } from '../../run/version.ts';
import type { Suite } from '../../simulation/campaign/options.ts';
import { threadCode } from '../threads.ts';

/**
 * Identity of the code that plays worlds. The thread entry names its chunks by hashes of their content: a digest of
 * this one file covers all code that could change the result of a seed.
 */
export const simulationSuite = (): Suite => ({
  version,
  digest: createHash('sha256').update(threadCode('range-thread')).digest('hex'),
});
