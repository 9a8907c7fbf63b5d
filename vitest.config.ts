import { basename } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** These take longest: begun last, one of them would keep a single worker busy while the others idle. */
const longest = [
  'content',
  'machines',
  'docs-commands',
  'wire',
  'eventually-consistent-target',
  'cli',
  'bounds',
  'memory',
  'clocks-apart',
  'remote',
];

const rank = ({ moduleId }: TestSpecification): number => {
  const place = longest.indexOf(basename(moduleId, '.test.ts'));
  return place < 0 ? longest.length : place;
};

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    return sorted.toSorted((one, other) => rank(one) - rank(other));
  }
}

export default defineConfig({
  test: {
    include: ['{src,conformance,mutants,test}/**/*.test.ts'],
    pool: 'threads',
    // Vitest itself would leave one core to its own process, which has next to nothing to do.
    maxWorkers: '100%',
    isolate: false,
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
