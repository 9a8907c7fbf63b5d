import { availableParallelism } from 'node:os';
import { basename } from 'node:path';
import { setFlagsFromString } from 'node:v8';
import { configDefaults, defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { tiers } from './test/tiers.ts';

/**
 * Most of what tests run is run a few times only, by threads that share two processors with those of V8 itself: what is
 * compiled for speed has run seven times as much before as by default, and what is young has room at once and is swept
 * by the thread that made it. Of tests that took 48 s of processor time this left 37 s. All is compiled at once, plainly,
 * and never interpreted: of 218 s this left 189 s. As src/cli/threads.ts does, and for the V8 of Node 20 alone, too.
 */
if (process.versions.v8.startsWith('11.')) {
  for (const flag of [
    '--interrupt-budget=1000000',
    '--no-parallel-scavenge',
    '--min-semi-space-size=16',
    '--semi-space-growth-factor=8',
    '--always-sparkplug',
  ])
    setFlagsFromString(flag);
}

/** These take longest: begun last, one of them would keep a single worker busy while the others idle. */
const longest = [
  'runs-in-a-row',
  'bent-history',
  'report',
  'shards',
  'cli',
  'bank-commands',
  'lagging-views',
  'simulate',
  'exports',
  'docs-commands',
  'session',
  'pages',
  'kills',
  'eventually-consistent-target',
  'content',
  'background-work',
  'silence',
  'machines',
  'wire',
  'bounds',
  'network',
  'remote',
  'command',
  'package',
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
    // It imports JSON without an attribute, which Node 20 refuses.
    server: { deps: { inline: ['@actions/workflow-parser'] } },
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
