/**
 * `npm run lags [-- busy 3 7 order.ends.*]`: checks a correct backend with a driven clock whose views lag in host time, once
 * for each combination or for those named by their number, with `busy` while both cores are loaded; by all checks unless
 * some are named. Prints the findings of each
 * run that the backend has not without lags, and its time against the time without lags and the lag of each step.
 */
import { whileBusy } from '../test/lags/busy-host.ts';
import { checkLaggingPeer, type LagRun } from '../test/lags/check-lagging-peer.ts';
import { combinations } from '../test/lags/combinations.ts';

const words = process.argv.slice(2);
const isBusy = words.includes('busy');
const numbers = words.map(Number).filter((number) => number > 0);
const only = words.filter((word) => word !== 'busy' && !numbers.includes(Number(word)));
const named = only.length > 0 ? { only } : {};
const chosen = combinations.filter(
  (_, index) => numbers.length === 0 || numbers.includes(index + 1),
);

function print(what: string, { blamed, ms, steps }: LagRun): void {
  console.log(`${what}: ${blamed.length} findings, ${seconds(ms)}, ${steps} steps`);
  for (const { id, verdict, reason } of blamed)
    console.log(`    ${verdict} ${id}: ${String(reason)}`);
}

async function measure(): Promise<boolean> {
  const bare = await checkLaggingPeer(named);
  print('no lag', bare);
  const asWithout = new Set(bare.blamed.map(({ id }) => id));
  let isGood = true;
  for (const { name, mostMs, lags } of chosen) {
    const whole = await checkLaggingPeer({ lags: lags(), ...named });
    const run = { ...whole, blamed: whole.blamed.filter(({ id }) => !asWithout.has(id)) };
    const mayTakeMs = 1.5 * bare.ms + run.steps * mostMs;
    print(`${name}, ${(run.ms / bare.ms).toFixed(2)} times, may take ${seconds(mayTakeMs)}`, run);
    isGood &&= run.blamed.length === 0 && run.ms <= mayTakeMs;
  }
  return isGood;
}

const seconds = (ms: number): string => `${(ms / 1_000).toFixed(1)} s`;

process.exitCode = (await (isBusy ? whileBusy(measure) : measure())) ? 0 : 1;
