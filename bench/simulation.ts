import { fork } from 'node:child_process';
import { once } from 'node:events';
import { bundled } from './bundled.ts';
import { entry, millisecondsOf } from './process.ts';
import { median, type Row } from './row.ts';

/** Host milliseconds of the same campaign on so many threads, less what a process takes that plays hardly anything. */
function onThreads(threads: number, worlds: number): number {
  const run = (seeds: number): number =>
    millisecondsOf([entry, 'simulate', '--seeds', String(seeds), '--workers', String(threads)]);
  return run(worlds) - run(threads);
}

function twoWorkers(): Row {
  const ratios: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const one = onThreads(1, 120);
    ratios.push(one / onThreads(2, 120));
  }
  return {
    name: 'two threads against one, the same 120 worlds',
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
