import { faultNames } from '../../simulation/plan.ts';
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

/** Options that would be ignored beside another one. */
const ignoredBeside = {
  // A plan contains its seed, faults and steps itself.
  plan: ['seed', 'seeds', 'from', 'faults', 'steps', 'shard', 'until', 'queue', 'target', 'depth'],
  seed: ['seeds', 'from', 'shard', 'until'],
  queue: ['target', 'workers', 'shard', 'until', 'nightly'],
  // Only the reference in this process has them.
  target: ['mutation', 'workers', 'shard', 'nightly', 'depth'],
} as const satisfies Partial<Record<keyof SimulateFlags, readonly string[]>>;

/** Options that mean something only beside another one. */
const ignoredWithout = {
  runId: 'target',
  campaign: 'queue',
  chunk: 'queue',
  lease: 'queue',
  wait: 'queue',
} as const satisfies Partial<Record<keyof SimulateFlags, keyof SimulateFlags>>;

const written = (name: string): string => (name === 'runId' ? '--run-id' : `--${name}`);

/** Throws for options that exclude each other, or that would be ignored. */
export function refuseIgnored(flags: SimulateFlags): void {
  const { plan, depth, ...others } = flags;
  // A plan is played in process: saying so ignores nothing.
  const all = {
    ...others,
    plan,
    depth: plan !== undefined && depth === 'process' ? undefined : depth,
  };
  const given = new Set(
    Object.entries(all).flatMap(([name, of]) => (of === undefined ? [] : name)),
  );
  for (const [one, others] of Object.entries(ignoredBeside)) {
    const beside = others.find((name) => given.has(name));
    if (!given.has(one) || beside === undefined) continue;
    const next =
      one === 'seed' ? 'for several worlds: --from SEED --seeds N' : `leave out --${beside}`;
    throw usageFailure(`--${one} and --${beside} do not go together`, next);
  }
  for (const [one, needed] of Object.entries(ignoredWithout)) {
    if (!given.has(one) || given.has(needed)) continue;
    throw usageFailure(`${written(one)} needs --${needed}`, `add --${needed}, or leave it out`);
  }
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
  const names = text.split(',').map((name) => name.trim().replaceAll(' ', '-'));
  const known = faultNames.map((name) => name.replaceAll(' ', '-'));
  for (const name of names) {
    if (known.includes(name)) continue;
    const next = suggestion(name, known) ?? `one or more of ${known.join(', ')}; or none`;
    throw usageFailure(`no fault is named ${JSON.stringify(name)}`, next);
  }
  return names.map((name) => name.replaceAll('-', ' '));
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
