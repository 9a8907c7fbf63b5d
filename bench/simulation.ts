import { execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { promisify } from 'node:util';
import { bundled } from './bundled.ts';
import { at, canPin, entry, millisecondsOf } from './process.ts';
import { median, type Row } from './row.ts';

/** Host milliseconds of the same campaign by so many workers, less what a process takes that plays hardly anything. */
function byWorkers(workers: number, worlds: number): number {
  const run = (seeds: number): number =>
    millisecondsOf([entry, 'simulate', '--seeds', String(seeds), '--workers', String(workers)], {
      onOneProcessor: workers === 1,
    });
  return run(worlds) - run(workers);
}

/** The same by two processes that share nothing but the machine: what it gives to two that are busy at once. */
async function byProcesses(worlds: number): Promise<number> {
  const run = async (seeds: number): Promise<number> => {
    const before = performance.now();
    const halves = ['1/2', '2/2'].map((part) => {
      const words = ['simulate', '--seeds', String(seeds), '--shard', part, '--workers', '1'];
      return promisify(execFile)(process.execPath, [entry, ...words], { cwd: at('..') });
    });
    await Promise.all(halves);
    return performance.now() - before;
  };
  return (await run(worlds)) - (await run(2));
}

async function twoWorkers(): Promise<readonly Row[]> {
  const worlds = 480;
  const workers: number[] = [];
  const processes: number[] = [];
  for (let round = 0; round < 3; round += 1) {
    const one = byWorkers(1, worlds);
    workers.push(one / byWorkers(2, worlds));
    processes.push(one / (await byProcesses(worlds)));
  }
  const unit = 'x (host time: on an idle machine)';
  const against = `against one${canPin ? ' on one processor' : ''}, the same ${worlds} worlds`;
  return [
    { name: `two workers ${against}`, value: median(workers), unit, aim: '>= 1.8' },
    {
      name: 'two processes that share nothing but the machine',
      value: median(processes),
      unit,
      aim: '',
    },
  ];
}

/** Rates of work that only takes CPU time, measured on the bundled code in its own process. */
async function worldRates(): Promise<readonly Row[]> {
  const child = fork(await bundled('world-rates'), { execArgv: ['--expose-gc'] });
  const [rows] = (await once(child, 'message')) as [readonly Row[]];
  return rows;
}

export const benchSimulation = async (): Promise<readonly Row[]> => [
  ...(await worldRates()),
  ...(await twoWorkers()),
];
