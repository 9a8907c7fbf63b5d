import { parentPort } from 'node:worker_threads';
import { formatSeed } from '../src/random/seed.ts';
import { playSeed } from '../src/simulation/run-world.ts';

/** One thread of the comparison: warm before it says that it is ready. */
for (let seed = 1_000n; seed < 1_010n; seed += 1n)
  await playSeed(formatSeed(seed), { depth: 'process' });
parentPort?.on(
  'message',
  ({ first, count }: { readonly first: number; readonly count: number }) => {
    void play(first, count);
  },
);
async function play(first: number, count: number): Promise<void> {
  for (let seed = first; seed < first + count; seed += 1)
    await playSeed(formatSeed(BigInt(seed)), { depth: 'process' });
  parentPort?.postMessage('done');
}
parentPort?.postMessage('ready');
