/**
 * Checks backends that are not the reference, one after the other, and prints how each run ended.
 *
 * `npm run chaos -- [BACKEND] [driven|system] [PERCENT] [SEEDS] [CHECKS...]`: through a network that spoils some exchanges.
 * BACKEND: reference, a dialect of the peer, or `mutated`, the reference with one mutation that the seed draws.
 *
 * `npm run independent -- [DIALECT] [FLAWS...]`: a peer with each of the flaws of test/independent. FLAWS: names, or numbers
 * from 1 on, as 1-20.
 *
 * `npm run variations -- [SEEDS] [CHECKS...]`: correct peers whose answers to the open questions of the document are drawn.
 */
import { mutations } from '../mutants/index.ts';
import { random } from '../src/random/random.ts';
import { flaws } from '../test/independent/flaws.ts';
import { type ChaosRun, runThroughChaos } from '../test/network/chaos-run.ts';
import type { DialectName } from '../test/peer/dialect.ts';
import { drawnDialect } from '../test/peer/drawn-dialect.ts';

/** A run, by the name that it is printed with, and whether it must end with exit 1. */
interface Trial {
  readonly name: string;
  readonly isDefective: boolean;
  readonly run: ChaosRun;
}

const undisturbed = { clock: 'driven', share: 0, seed: 1 } as const;

const checksOf = (only: readonly string[]): Pick<ChaosRun, 'only'> =>
  only.length > 0 ? { only } : {};

/** The numbers of `3`, `1-20`. */
function numbersIn(range: string): readonly number[] {
  const [first = 1, last = first] = range.split('-').map(Number);
  return Array.from({ length: last - first + 1 }, (_, place) => first + place);
}

const trials: Readonly<Record<string, (words: readonly string[]) => readonly Trial[]>> = {
  chaos([backend = 'reference', clock = 'driven', percent = '1', seeds = '1-20', ...only]) {
    const isDefective = backend === 'mutated';
    return numbersIn(seeds).map((seed) => {
      const mutation = random(BigInt(seed)).fork('mutation').pick(mutations).id;
      return {
        name: `${isDefective ? mutation : backend} ${clock} ${percent} % seed ${seed}`,
        isDefective,
        run: {
          ...(isDefective
            ? { backend: 'reference', mutation }
            : { backend: backend as ChaosRun['backend'] }),
          clock: clock as ChaosRun['clock'],
          share: Number(percent) / 100,
          seed,
          ...checksOf(only),
        },
      };
    });
  },
  independent([dialect = 'harbour', ...wanted]) {
    const numbers = new Set(wanted.filter((one) => /^\d/.test(one)).flatMap(numbersIn));
    const backend = dialect as DialectName;
    return flaws.flatMap((flaw, index) => {
      const isWanted = wanted.length === 0 || wanted.includes(flaw.id) || numbers.has(index + 1);
      if (!isWanted || flaw.hiddenIn?.includes(backend)) return [];
      const run = { ...undisturbed, backend, flaw };
      return [{ name: `${index + 1} ${flaw.id}`, isDefective: true, run }];
    });
  },
  variations: ([seeds = '1-40', ...only]) =>
    numbersIn(seeds).map((seed) => ({
      name: `drawn ${seed}`,
      isDefective: false,
      run: { ...undisturbed, backend: drawnDialect(seed), seed, ...checksOf(only) },
    })),
};

const [kind = '', ...words] = process.argv.slice(2);
const chosen = trials[kind]?.(words) ?? [];
const wrong: string[] = [];
for (const { name, isDefective, run } of chosen) {
  const started = performance.now();
  const { exit, report, records, spoilt, accusations } = await runThroughChaos(run);
  const seconds = ((performance.now() - started) / 1_000).toFixed(0);
  const failed = (report?.requirements ?? []).filter(({ verdict }) => verdict === 'fail');
  if ((exit === 1) !== isDefective) wrong.push(name);
  const verdicts = JSON.stringify(report?.totals.checks);
  console.log(
    `${name}: exit ${exit}, ${spoilt} spoilt of ${records.length} records, ${seconds} s, checks ${verdicts}`,
  );
  if (isDefective) console.log(`    ${failed.map(({ id }) => id).join(' ') || 'nothing failed'}`);
  else for (const one of accusations) console.log(`    ${one}`);
}
const good = chosen.length - wrong.length;
console.log(
  `${kind}: ${good} of ${chosen.length} as they must be${wrong.map((one) => `\n    not ${one}`).join('')}`,
);
process.exitCode = wrong.length === 0 && chosen.length > 0 ? 0 : 1;
