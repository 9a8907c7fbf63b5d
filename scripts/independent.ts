/**
 * `npm run independent -- [DIALECT] [FLAWS...]`: checks a peer with each of the flaws of test/independent, on a driven
 * clock, and prints which requirements failed. FLAWS: names, or numbers from 1 on, as 1-20.
 */
import { runThroughChaos } from '../test/network/chaos-run.ts';
import { flaws } from '../test/independent/flaws.ts';
import type { DialectName } from '../test/peer/dialect.ts';

const [dialect = 'harbour', ...wanted] = process.argv.slice(2);
const isWanted = (id: string, number: number): boolean =>
  wanted.length === 0 ||
  wanted.some((one) => {
    const [, first, last = first] = /^(\d+)(?:-(\d+))?$/.exec(one) ?? [];
    return first === undefined ? one === id : Number(first) <= number && number <= Number(last);
  });

const missed: string[] = [];
let tried = 0;
for (const [index, flaw] of flaws.entries()) {
  if (!isWanted(flaw.id, index + 1) || flaw.hiddenIn?.includes(dialect as DialectName)) continue;
  const started = performance.now();
  const { exit, report } = await runThroughChaos({
    backend: dialect as DialectName,
    clock: 'driven',
    share: 0,
    seed: 1,
    flaw,
  });
  tried += 1;
  if (exit !== 1) missed.push(flaw.id);
  const failed = (report?.requirements ?? [])
    .filter(({ verdict }) => verdict === 'fail')
    .map(({ id }) => id);
  const seconds = ((performance.now() - started) / 1_000).toFixed(0);
  console.log(
    `${index + 1} ${flaw.id}: exit ${exit}, ${seconds} s, ${failed.join(' ') || 'nothing'}`,
  );
}
console.log(`${dialect}: ${tried - missed.length} of ${tried} found; missed: ${missed.join(', ')}`);
process.exitCode = missed.length === 0 ? 0 : 1;
