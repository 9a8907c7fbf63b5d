import type { Random } from '../../random/random.ts';
import { type CommandName, faultNames } from '../plan.ts';

/** Relative weight of each command, if the world has it. */
const commandWeights: Readonly<Record<CommandName, number>> = {
  create: 14,
  quote: 28,
  accept: 16,
  cancel: 5,
  'accept the proposal': 4,
  read: 8,
  'list quotes': 5,
  'read settlement': 3,
  list: 8,
  'read stats': 2,
  'ask who it is': 1,
  listen: 5,
  'stop listening': 3,
  'ask with its first token': 1,
  repeat: 3,
  burst: 1,
  look: 2,
  stray: 5,
};

/** Without these commands no order lives. */
const indispensable: readonly CommandName[] = ['create', 'quote', 'accept'];

/** Profile of one seed: its commands and faults, and their frequency, size and speed. */
export type Swarm = Readonly<ReturnType<typeof drawSwarm>>;

const paces: readonly (readonly number[])[] = [
  [0, 0, 0, 1, 5],
  [0, 0, 1, 40, 250],
  [0, 40, 250, 900, 2_200],
  [0, 500, 2_000, 7_000],
  [0, 1_000, 15_000, 31_000],
];

const pacesWithin = (longestMs = Number.POSITIVE_INFINITY): readonly (readonly number[])[] => {
  const fitting = paces.filter((pauses) => pauses.every((ms) => ms <= longestMs));
  return fitting.length > 0 ? fitting : [[0]];
};

const currencySets: readonly (readonly string[])[] = [
  ['USD', 'EUR'],
  ['USD', 'JPY', 'EUR'],
  ['JPY', 'KRW', 'VND'],
  ['KWD', 'BHD', 'USD'],
  ['USD', 'EUR', 'GBP', 'CHF', 'JPY', 'KWD', 'CLP', 'XTS'],
];

export interface SwarmLimits {
  readonly faults?: readonly string[] | undefined;
  readonly steps?: number | undefined;
  /** Currencies of the orders; drawn if absent. */
  readonly currencies?: readonly string[] | undefined;
  readonly longestPauseMs?: number | undefined;
}

export function drawSwarm(random: Random, limits: SwarmLimits) {
  const present = random.fork('commands');
  const commands = Object.entries(commandWeights).flatMap(([name, weight]) => {
    const command = name as CommandName;
    const isIn = present.chance(0.7) || indispensable.includes(command);
    // In some worlds one kind of command is more frequent than others.
    const times = present.pick([1, 1, 1, 3]);
    return isIn ? [[command, weight * times] as const] : [];
  });
  const faults = random.fork('faults');
  const striking = faultNames.flatMap((name) => {
    const isIn = faults.chance(0.25);
    const strikes = faults.pick([0.02, 0.05, 0.15]);
    const isAllowed = limits.faults === undefined || limits.faults.includes(name);
    return isIn && isAllowed ? [[name, strikes] as const] : [];
  });
  const sizes = random.fork('sizes');
  const size = sizes.pick([0, 1, 1, 2]);
  const steps = [10 + sizes.below(10), 20 + sizes.below(20), 40 + sizes.below(41)][size] ?? 20;
  const swarm = {
    commands,
    /** The faults of the world, each with the probability that it strikes before a step. */
    faults: striking,
    steps: limits.steps ?? steps,
    /** Pauses between steps in milliseconds; each pause is one of these. */
    pausesMs: sizes.pick(pacesWithin(limits.longestPauseMs)),
    /** Probability that a step is placed at an edge in place of after a pause. */
    edges: sizes.pick([0, 0.1, 0.3]),
    /** Probability that a command is about an order in any stage, in place of one that it fits. */
    strays: random.fork('strays').pick([0.1, 0.3, 0.6]),
    /** Probability that a decision about an order gets a rival in the same moment. */
    rivals: random.fork('rivals').pick([0, 0, 0.2, 0.5]),
    /** Probability that amounts and rates are unusual ones. */
    oddAmounts: sizes.pick([0, 0.2, 0.8]),
    currencies: limits.currencies ?? sizes.pick(currencySets),
    openOrders: sizes.pick([2, 4, 8, crowd]),
    /** Probability that a quote that can be accepted is accepted. */
    eagerness: sizes.pick([0, 0.3, 0.6]),
  };
  if (swarm.openOrders < crowd) return swarm;
  const often = commands.map(
    ([name, weight]) => [name, name === 'create' ? weight * 3 : weight] as const,
  );
  return { ...swarm, commands: often };
}

/** A world that may have this many open orders creates orders three times as often: some defects need twenty orders. */
const crowd = 30;
