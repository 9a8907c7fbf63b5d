// Plays worlds and prints what their hashes come to, so that runs can be compared: on other versions of Node, on other
// machines. With --twice each world is played two times, whatever its seed.
//   npm run hashes -- --seeds 1000 --twice
import { createHash } from 'node:crypto';
import { parseArgs } from 'node:util';
import { formatSeed } from '../src/random/seed.ts';
import { drawPlan } from '../src/simulation/draw/draw-plan.ts';
import { runPlan } from '../src/simulation/run-plan.ts';
import { hashOf } from '../src/simulation/world-hash.ts';

const { values: flags } = parseArgs({
  options: {
    seeds: { type: 'string', default: '20' },
    from: { type: 'string', default: '1' },
    twice: { type: 'boolean' },
    /** Prints the hash of each world, too. */
    each: { type: 'boolean' },
  },
});

const hashOfSeed = async (seed: string): Promise<string> =>
  hashOf((await runPlan(drawPlan(seed))).history.records).hash;

const [first, count] = [BigInt(flags.from), Number(flags.seeds)];
const all = createHash('sha256');
const parted: string[] = [];
for (let done = 0; done < count; done += 1) {
  const seed = formatSeed(first + BigInt(done));
  const hash = await hashOfSeed(seed);
  all.update(hash);
  if (flags.each) console.log(`${seed} ${hash}`);
  if (flags.twice && (await hashOfSeed(seed)) !== hash) parted.push(seed);
}
console.log(
  `worlds ${count} from ${formatSeed(first)}: ${all.digest('hex')} on Node ${process.version}`,
);
if (flags.twice)
  console.log(`played twice ${count}: ${parted.length} differ ${parted.join(' ')}`.trimEnd());
process.exitCode = parted.length > 0 ? 3 : 0;
