/**
 * `npm run chaos -- [BACKEND] [driven|system] [PERCENT] [SEEDS] [CHECKS...]`: checks a correct backend through a network that
 * spoils some exchanges, once for each seed, and prints how each run ended. BACKEND: reference, a dialect of the peer, or
 * `mutated`, the reference with one mutation that the seed draws.
 */
import { mutations } from '../mutants/index.ts';
import { random } from '../src/random/random.ts';
import { runThroughChaos, type ChaosRun } from '../test/network/chaos-run.ts';

const [backend = 'reference', clock = 'driven', percent = '1', seeds = '1-20', ...only] =
  process.argv.slice(2);
const [first = 1, last = first] = seeds.split('-').map(Number);
const isMutated = backend === 'mutated';
const drawnFor = (seed: number): string => random(BigInt(seed)).fork('mutation').pick(mutations).id;
const exits: number[] = [];
for (let seed = first; seed <= last; seed += 1) {
  const started = performance.now();
  const mutation = isMutated ? drawnFor(seed) : undefined;
  const { exit, accusations, spoilt, report, records } = await runThroughChaos({
    backend: isMutated ? 'reference' : (backend as ChaosRun['backend']),
    ...(mutation !== undefined && { mutation }),
    clock: clock as ChaosRun['clock'],
    share: Number(percent) / 100,
    seed,
    ...(only.length > 0 && { only }),
  });
  exits.push(exit);
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  const verdicts = JSON.stringify(report?.totals.checks);
  console.log(
    `${mutation ?? backend} ${clock} ${percent} % seed ${seed}: exit ${exit}, ${spoilt} spoilt of ${records.length} records, ${seconds} s, checks ${verdicts}`,
  );
  for (const one of accusations) console.log(`    ${one}`);
}
const accused = exits.filter((exit) => exit === 1).length;
console.log(
  `${backend} ${clock} ${percent} %: ${accused} of ${exits.length} runs ended with exit 1`,
);
process.exitCode = accused === (isMutated ? exits.length : 0) ? 0 : 1;
