/**
 * `npm run chaos -- [reference|harbour|meridian|lantern] [driven|system] [PERCENT] [SEEDS] [CHECKS...]`: checks a correct backend through a network that spoils some
 * exchanges, once for each seed, and prints how each run ended.
 */
import { runThroughChaos, type ChaosRun } from '../test/network/chaos-run.ts';

const [backend = 'reference', clock = 'driven', percent = '1', seeds = '1-20', ...only] =
  process.argv.slice(2);
const [first = 1, last = first] = seeds.split('-').map(Number);
const exits: number[] = [];
for (let seed = first; seed <= last; seed += 1) {
  const started = performance.now();
  const { exit, accusations, spoilt, report, records } = await runThroughChaos({
    backend: backend as ChaosRun['backend'],
    clock: clock as ChaosRun['clock'],
    share: Number(percent) / 100,
    seed,
    ...(only.length > 0 && { only }),
  });
  exits.push(exit);
  const seconds = ((performance.now() - started) / 1_000).toFixed(1);
  const verdicts = JSON.stringify(report?.totals.checks);
  console.log(
    `${backend} ${clock} ${percent} % seed ${seed}: exit ${exit}, ${spoilt} spoilt of ${records.length} records, ${seconds} s, checks ${verdicts}`,
  );
  for (const one of accusations) console.log(`    ${one}`);
}
const accused = exits.filter((exit) => exit === 1).length;
console.log(
  `${backend} ${clock} ${percent} %: ${accused} of ${exits.length} runs ended with exit 1`,
);
process.exitCode = accused === 0 ? 0 : 1;
