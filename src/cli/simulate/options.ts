import { drawnFaults } from '../../simulation/draw/swarm.ts';
import { type SeedRange, seedRange } from '../../simulation/campaign/seed-range.ts';
import type { SimulationOptions } from '../../simulation/outcome.ts';
import { suggestion } from '../../yaml/index.ts';
import { usageFailure } from '../command.ts';
import { within } from '../files.ts';
import type { Flags } from '../flags.ts';

/** Of `assay simulate`, whose `--shard` is a part of seeds. */
export interface SimulateFlags extends Omit<Flags, 'shard'> {
  readonly shard?: string;
}

/** Options for many worlds: `--seed` plays one. */
const ofMany = ['seeds', 'from', 'shard', 'until'] as const;

function refuseBeside(
  one: 'plan' | 'seed',
  others: readonly (keyof SimulateFlags)[],
  flags: SimulateFlags,
): void {
  if (flags[one] === undefined) return;
  const beside = others.find((name) => flags[name] !== undefined);
  if (beside === undefined) return;
  const next =
    one === 'plan' ? `leave out --${beside}` : 'for several worlds: --from SEED --seeds N';
  throw usageFailure(`--${one} and --${beside} do not go together`, next);
}

/** Refuses options that would be ignored because one world is played, by its seed or its plan. */
export function refuseIgnored(flags: SimulateFlags): void {
  // A plan contains its seed, faults and steps itself.
  refuseBeside(
    'plan',
    ['seed', 'seeds', 'from', 'faults', 'steps', 'shard', 'until', 'queue'],
    flags,
  );
  refuseBeside('seed', ofMany, flags);
  if (flags.plan === undefined) return;
  for (const name of ['target', 'depth'] as const)
    if (flags[name] !== undefined && flags[name] !== 'process')
      throw usageFailure(`a plan is played on the embedded reference`, `leave out --${name}`);
}

/** Options for making worlds. Throws if a fault has no such name or options exclude each other. */
export function worldOptions(
  { faults, steps, mutation, depth, checks, queue }: SimulateFlags,
  cwd: string,
): SimulationOptions {
  const names = faults === undefined ? undefined : faultsNamed(faults);
  if (checks && (depth === 'core' || queue !== undefined))
    throw usageFailure(
      `--checks and ${depth === 'core' ? '--depth core' : '--queue'} do not go together`,
      depth === 'core' ? 'the core alone has no history to judge' : 'play the worlds here',
    );
  return {
    depth: depth ?? 'process',
    ...(names && { faults: names }),
    ...(steps !== undefined && { steps }),
    ...(mutation !== undefined && { mutation }),
    ...(checks && { checks: checks.map((file) => within(cwd, file)) }),
  };
}

function faultsNamed(text: string): readonly string[] {
  if (text === 'none') return [];
  const names = text.split(',').map((name) => name.trim().replaceAll('-', ' '));
  for (const name of names) {
    if (drawnFaults.some((known) => known === name)) continue;
    const next =
      suggestion(name, drawnFaults) ?? `one or more of ${drawnFaults.join(', ')}; or none`;
    throw usageFailure(`no fault is named ${JSON.stringify(name)}`, next);
  }
  return names;
}

/** Default number of worlds of a campaign: about ten seconds on two processors. */
const usualSeeds = 200;

/** Range of worlds to play, or a shard of it. Without an end if only time bounds the run. */
export function seedsOf({ seeds, from = 1n, shard, until }: SimulateFlags): SeedRange {
  const count = seeds ?? (until === undefined ? usualSeeds : endless);
  const whole = seedRange(from, count);
  if (!whole) throw usageFailure(`there are no ${count} seeds from ${from} on`, 'lower --from');
  return shard === undefined ? whole : shardOf(whole, shard, seeds !== undefined);
}

/** Number of seeds if only time bounds the run: more than any machine plays. */
const endless = 1_000_000_000;

function shardOf({ first, count }: SeedRange, text: string, isSized: boolean): SeedRange {
  const [, index, of] = (/^(\d{1,6})\/(\d{1,6})$/.exec(text) ?? []).map(Number);
  if (index === undefined || of === undefined || index < 1 || index > of)
    throw usageFailure(`--shard is ${JSON.stringify(text)}`, 'give it as 1/4, 2/4, ...');
  if (!isSized) throw usageFailure('--shard takes a part of --seeds', 'add --seeds N');
  const start = Math.floor(((index - 1) * count) / of);
  const end = Math.floor((index * count) / of);
  if (start === end)
    throw usageFailure(`shard ${text} of ${count} seeds is empty`, 'take fewer shards');
  return { first: first + BigInt(start), count: end - start };
}
