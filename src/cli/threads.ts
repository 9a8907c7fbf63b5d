import { existsSync, readFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { getAsset, isSea } from 'node:sea';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { Worker } from 'node:worker_threads';

/** Each is an entry of its own in scripts/build-command.js, and a part of the single executable. */
type ThreadName = 'play-thread' | 'shard-thread' | 'range-thread' | 'watch-thread';

/** Bundled entry, beside the folder of chunks. */
const bundled = (name: ThreadName): URL => new URL(`../${name}.js`, import.meta.url);

/** The text that a thread runs. */
export const threadCode = (name: ThreadName): string =>
  isSea() ? getAsset(`${name}.js`, 'utf8') : readFileSync(bundled(name), 'utf8');

/** Number of further threads that may work; 0 if the sources run unbundled. */
export const freeThreads = (name: ThreadName): number =>
  isSea() || existsSync(fileURLToPath(bundled(name))) ? availableParallelism() - 1 : 0;

/**
 * For two threads that keep two processors busy, so that the threads of V8 itself have none. In the V8 of Node 20,
 * which has no quick compiler between the slow two, what is compiled for speed has run three times as much before as by
 * default. What is young is swept by the thread that made it, and is given room at once and not little by little.
 */
const forTwoThreads = [
  '--interrupt-budget=400000',
  '--no-parallel-scavenge',
  '--min-semi-space-size=16',
  '--semi-space-growth-factor=8',
] as const;

/**
 * For the suite, most of whose code runs a few dozen times only: it is compiled at once, plainly, and never interpreted.
 * Three pairs of runs on a loaded machine took 7 to 16 % less processor time with it. What is compiled for speed has run
 * more often still: of five runs in turns the middle one had its verdict after 4.3 s in place of 4.7. Neither was measured
 * for scenarios.
 */
const forSuite = ['--always-sparkplug', '--interrupt-budget=1000000'] as const;

/** Starts a thread for work that keeps a processor busy. */
export function startThread(name: ThreadName, workerData: unknown): Worker {
  if (process.versions.v8.startsWith('11.')) {
    const flags = name === 'shard-thread' ? [...forTwoThreads, ...forSuite] : forTwoThreads;
    for (const flag of flags) setFlagsFromString(flag);
  }
  return isSea()
    ? new Worker(threadCode(name), { workerData, eval: true })
    : new Worker(bundled(name), { workerData });
}
