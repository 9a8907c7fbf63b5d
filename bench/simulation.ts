import { fork } from 'node:child_process';
import { once } from 'node:events';
import { bundled } from './bundled.ts';
import { canPin, entry, millisecondsOf } from './process.ts';
import { median, type Row } from './row.ts';

/** Host milliseconds of the same campaign by so many workers, less what a process takes that plays hardly anything. */
function byWorkers(workers: number, worlds: number): number {
  const run = (seeds: number): number =>
    millisecondsOf([entry, 'simulate', '--seeds', String(seeds), '--workers', String(workers)], {
      onOneProcessor: workers === 1,
    });
  return run(worlds) - run(workers);
}

function twoWorkers(): Row {
  const worlds = 480;
  const ratios = Array.from({ length: 3 }, () => byWorkers(1, worlds) / byWorkers(2, worlds));
  return {
    name: `two workers against one${canPin ? ' on one processor' : ''}, the same ${worlds} worlds`,
    value: median(ratios),
    unit: 'x (host time: on an idle machine)',
    aim: '>= 1.8',
  };
}

/** What takes CPU time alone, in a process of its own, as it is shipped. */
async function worldRates(): Promise<readonly Row[]> {
  const child = fork(await bundled('world-rates'), { execArgv: ['--expose-gc'] });
  const [rows] = (await once(child, 'message')) as [readonly Row[]];
  return rows;
}

export const benchSimulation = async (): Promise<readonly Row[]> => [
  ...(await worldRates()),
  twoWorkers(),
];
