import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { tiers } from './test/tiers.ts';

/** These take longest: begun last, one of them would keep a single worker busy while the others idle. */
const longest = [
  'shards',
  'pages',
  'session',
  'kills',
  'eventually-consistent-target',
  'content',
  'background-work',
  'silence',
  'machines',
  'wire',
  'bounds',
  'bent-history',
  'cli',
  'command',
  'package',
  'exports',
  'docs-commands',
];

const rank = ({ moduleId }: TestSpecification): number => {
  const place = longest.indexOf(basename(moduleId).replace(/(\.long)?\.test\.ts$/, ''));
  return place < 0 ? longest.length : place;
};

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}

/** `--mode long` chooses the other tier: see test/tiers.ts. */
export default defineConfig(({ mode }) => ({
  test: {
    include: [mode === 'long' ? tiers.long : tiers.all],
    exclude: [...configDefaults.exclude, ...(mode === 'long' ? [] : [tiers.long])],
    pool: 'threads',
    // Vitest's own process has next to nothing to do, and some tests wait for most of their time.
    maxWorkers: availableParallelism() + 1,
    isolate: false,
    sequence: { sequencer: LongestFirst },
    // A limit for what hangs, not for what a busy host keeps waiting: no test needs one of its own.
    testTimeout: 600_000,
    hookTimeout: 600_000,
  },
}));
