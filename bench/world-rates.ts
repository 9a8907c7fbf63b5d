import { random } from '../src/random/random.ts';
import { formatSeed } from '../src/random/seed.ts';
import { runOnCore } from '../src/simulation/core/run-core.ts';
import { coreFaults } from '../src/simulation/play/faults.ts';
import { drawPlan } from '../src/simulation/draw/draw-plan.ts';
import type { Plan, PlannedStep } from '../src/simulation/plan.ts';
import { runPlan } from '../src/simulation/run-plan.ts';
import { playSeed } from '../src/simulation/run-world.ts';
import { cast, castNames } from '../src/spec/requirements/requirement.ts';
import { referenceStartMs } from '../src/target/embedded/create-reference.ts';
import { quickest, type Row } from './row.ts';

/** CPU seconds, of all threads of this process. */
async function cpuSeconds(work: () => unknown): Promise<number> {
  const before = process.cpuUsage();
  await work();
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

const parties = castNames.map((name) => ({ name, role: cast[name], skewMs: 0 }));
const makers = castNames.filter((name) => cast[name] === 'market-maker');

/** Create, a quote of each maker, accept; what is settled meanwhile is. Every tenth order expires or is cancelled. */
function livesPlan(orders: number, pauseMs: number, listening: readonly string[]): Plan {
  const draws = random(1n, 'lives');
  const steps: PlannedStep[] = listening.map((by) => ({
    at: { afterMs: 0 },
    by,
    do: 'listen',
    label: `stream of ${by}`,
  }));
  for (let n = 1; n <= orders; n += 1) {
    const order = `order ${n}`;
    const by = n % 5 === 0 ? 'outsider' : 'sender';
    steps.push({
      at: { afterMs: pauseMs },
      by,
      do: 'create',
      label: order,
      custodian: 'sender_custodian',
      receiver: 'outsider',
      receiverCustodian: 'receiver_custodian',
      sourceCurrency: 'USD',
      targetCurrency: 'EUR',
      targetAmount: `${1 + draws.below(10_000)}.00`,
      maximum: '30000.00',
    });
    for (const maker of makers)
      steps.push({
        at: { afterMs: 0 },
        by: maker,
        do: 'quote',
        order,
        label: `quote ${n} of ${maker}`,
        rate: '1',
        validity: { forMs: 30_000 },
      });
    if (n % 20 === 10) steps.push({ at: { afterMs: 1 }, by, do: 'cancel', order });
    else if (n % 20 !== 0) {
      const quote = `quote ${n} of ${draws.pick(makers)}`;
      steps.push({ at: { afterMs: 1 }, by, do: 'accept', order, quote });
    }
  }
  return {
    format: 'assay.plan/1',
    seed: formatSeed(1n),
    startMs: referenceStartMs,
    parties,
    assignment: {},
    steps,
  };
}

async function coreLives(): Promise<Row> {
  const plan = livesPlan(100, 200, []);
  const rates: number[] = [];
  for (let round = 0; round < 40; round += 1) {
    const seconds = await cpuSeconds(async () => {
      for (let world = 0; world < 10; world += 1) {
        const { end, findings } = await runOnCore(plan);
        const settled = Object.values(end.orders).filter(({ status }) => status === 'SETTLED');
        if (settled.length !== 90 || findings.length > 0) throw new Error('a life went astray');
      }
    });
    rates.push(1_000 / seconds);
  }
  return {
    name: 'order lives on the core alone, invariants looked at',
    value: quickest(rates, 10),
    unit: 'lives/s of CPU',
    aim: '>= 10,000',
  };
}

async function livesInProcess(): Promise<Row> {
  const plan = livesPlan(200, 200, []);
  const rates: number[] = [];
  for (let round = 0; round < 30; round += 1)
    rates.push(200 / (await cpuSeconds(() => runPlan(plan))));
  return {
    name: 'order lives in process, each exchange recorded',
    value: quickest(rates, 10),
    unit: 'lives/s of CPU',
    aim: '>= 1,000',
  };
}

/** 500 orders over the day, with the streams of everybody open throughout. */
async function tradingDay(): Promise<Row> {
  const plan = livesPlan(500, 172_000, castNames);
  const factors: number[] = [];
  for (let round = 0; round < 12; round += 1) {
    let virtualMs = 0;
    const seconds = await cpuSeconds(async () => {
      const { startMs, endMs } = await runPlan(plan);
      virtualMs = endMs - startMs;
    });
    factors.push(virtualMs / 1_000 / seconds);
  }
  return {
    name: 'a trading day of 500 orders, all streams open, in process',
    value: quickest(factors, 4),
    unit: 'x its own time (CPU)',
    aim: '>= 100,000',
  };
}

/** Worlds drawn from seeds, as campaigns play them. */
async function drawnWorlds(): Promise<readonly Row[]> {
  const seeds = Array.from({ length: 40 }, (_, index) => formatSeed(BigInt(index + 1)));
  const plans = seeds.map((seed) => drawPlan(seed, { faults: coreFaults }));
  for (const plan of plans) await runOnCore(plan);
  const alone = await cpuSeconds(async () => {
    for (let round = 0; round < 5; round += 1) for (const plan of plans) await runOnCore(plan);
  });
  for (const seed of seeds.slice(0, 5)) await playSeed(seed, { depth: 'process' });
  const inProcess = await cpuSeconds(async () => {
    for (const seed of seeds) await playSeed(seed, { depth: 'process' });
  });
  return [
    {
      name: 'drawn worlds on the core alone',
      value: (seeds.length * 5) / alone,
      unit: 'worlds/s of CPU',
      aim: '',
    },
    {
      name: 'drawn worlds in process, with faults, judged by all rules',
      value: seeds.length / inProcess,
      unit: 'worlds/s of CPU',
      aim: '',
    },
  ];
}

/** The most that a campaign held in its second half against its first: what is kept for later is let go now and then. */
async function memory(): Promise<Row> {
  const collect = (globalThis as { readonly gc?: () => void }).gc;
  if (!collect) throw new Error('start it with --expose-gc');
  const worlds = 1_200;
  const most = [0, 0];
  for (let n = 1; n <= worlds; n += 1) {
    await playSeed(formatSeed(BigInt(n)), { depth: 'process', steps: 20 });
    if (n % 50 !== 0) continue;
    collect();
    const half = n <= worlds / 2 ? 0 : 1;
    most[half] = Math.max(most[half] ?? 0, process.memoryUsage().heapUsed);
  }
  const [first = 1, second = 0] = most;
  return {
    name: `the most memory held in worlds ${worlds / 2 + 1} to ${worlds}`,
    value: second / first,
    unit: `x that of the ${worlds / 2} before`,
    aim: '<= 1.1',
  };
}

process.send?.([
  await coreLives(),
  await livesInProcess(),
  await tradingDay(),
  ...(await drawnWorlds()),
  await memory(),
]);
