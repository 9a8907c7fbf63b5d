/**
 * `npm run variations -- [FIRST-LAST] [CHECKS...]`: checks correct peers whose every answer to what the document leaves open is drawn from
 * a seed, on a driven clock, and prints what was held against each.
 */
import { runThroughChaos } from '../test/network/chaos-run.ts';
import { drawnDialect } from '../test/peer/drawn-dialect.ts';

const [seeds = '1-40', ...only] = process.argv.slice(2);
const [first = 1, last = first] = seeds.split('-').map(Number);
const accused: number[] = [];
for (let seed = first; seed <= last; seed += 1) {
  const started = performance.now();
  const { exit, report, accusations } = await runThroughChaos({
    backend: drawnDialect(seed),
    clock: 'driven',
    share: 0,
    seed,
    ...(only.length > 0 && { only }),
  });
  if (exit === 1) accused.push(seed);
  const seconds = ((performance.now() - started) / 1_000).toFixed(0);
  console.log(
    `drawn ${seed}: exit ${exit}, ${seconds} s, ${JSON.stringify(report?.totals.requirements)}`,
  );
  for (const one of accusations) console.log(`    ${one}`);
}
console.log(
  `${accused.length} of ${last - first + 1} correct peers accused${accused.length > 0 ? `: ${accused.join(', ')}` : ''}`,
);
process.exitCode = accused.length === 0 ? 0 : 1;
