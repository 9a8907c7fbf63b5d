import { parseArgs } from 'node:util';
import { diagnosisOf, drawMutations, isDiagnosed, runMutated } from './run-mutated.ts';

/**
 * Draws mutations by seed. Prints if each has one cause that names its place, and the median number
 * of failures in its JUnit file:
 * node --import tsx test/causes/draw.ts --seed 1 --count 20 [--whole]
 */
const { values: flags } = parseArgs({
  options: {
    seed: { type: 'string', default: '1' },
    count: { type: 'string', default: '20' },
    whole: { type: 'boolean', default: false },
  },
});

const drawn = drawMutations(BigInt(flags.seed), Number(flags.count));
let diagnosed = 0;
const junitFailures: number[] = [];
for (const mutation of drawn) {
  const found = diagnosisOf(await runMutated(mutation, 1n, flags.whole ? 'whole' : 'narrow'));
  if (isDiagnosed(found)) diagnosed += 1;
  junitFailures.push(found.junitFailures);
  const words = [
    isDiagnosed(found) ? 'yes' : 'NO ',
    `${found.causes} cause${found.causes === 1 ? ' ' : 's'}`,
    found.isNamed ? 'named' : 'NOT NAMED',
    found.isSeenFirst ? 'seen first' : 'NOT SEEN FIRST',
    `JUnit ${found.junitFailures}`,
    found.mutation,
    found.title,
  ];
  process.stdout.write(`${words.join(' | ')}\n`);
}
process.stdout.write(`${diagnosed} of ${drawn.length} came to one cause that names the place\n`);
junitFailures.sort((one, other) => one - other);
const middle = (junitFailures.length - 1) / 2;
const median =
  ((junitFailures[Math.floor(middle)] ?? 0) + (junitFailures[Math.ceil(middle)] ?? 0)) / 2;
process.stdout.write(`median of JUnit failures for a mutation: ${median}\n`);
process.exitCode = diagnosed >= drawn.length * 0.9 ? 0 : 1;
