import type { CommandSpec, OptionSpec } from '../command.ts';
import { duration, positive, seed } from './option-values.ts';
import { queueOption, rulesOption, runIdOption, waitOption } from './shared-options.ts';

/** Options of `assay simulate` for worlds that other machines play. */
const campaignOptions: readonly OptionSpec[] = [
  queueOption,
  { flags: '--campaign <name>', description: 'its name (default: one that is drawn)' },
  { flags: '--chunk <n>', description: 'worlds that a worker takes at a time', read: positive },
  {
    flags: '--lease <duration>',
    description: 'after so long without a sign of its worker a range goes to another (default: 1m)',
    read: duration,
  },
  waitOption,
];

export const simulateCommand: CommandSpec = {
  name: 'simulate',
  summary: 'play whole worlds, each drawn from a seed, and look for what nobody thought of',
  options: [
    { flags: '--seeds <n>', description: 'how many worlds (default: 200)', read: positive },
    { flags: '--seed <n>', description: 'one world, told step by step', read: seed },
    { flags: '--plan <file>', description: 'one world from a plan that was written' },
    {
      flags: '--from <seed>',
      description: 'the first seed, or "random" (default: 1)',
      read: seed,
    },
    { flags: '--faults <list>', description: 'faults that may strike, with commas; or "none"' },
    { flags: '--steps <n>', description: 'about how many steps a world has', read: positive },
    rulesOption,
    { flags: '--mutation <id>', description: 'break the embedded reference on purpose' },
    {
      flags: '--target <file>',
      description: 'play on this backend, without faults of its inside (default: 50 worlds)',
    },
    runIdOption,
    {
      flags: '--depth <depth>',
      description: 'what plays: core, process or http (default: process)',
      choices: ['core', 'process', 'http'],
    },
    {
      flags: '--workers <n>',
      description: 'threads (default: as many as processors)',
      read: positive,
    },
    { flags: '--shard <i/n>', description: 'one part of the seeds, such as 2/4' },
    { flags: '--until <duration>', description: 'begin no world after that', read: duration },
    {
      flags: '--nightly',
      description: 'exit 3 if a situation of the catalogue never came about',
    },
    { flags: '--no-shrink', description: 'leave failing worlds as large as they are' },
    {
      flags: '--out <dir>',
      description:
        'where simulation.json, plans and scenarios go (default: reports, once something is found)',
    },
    { flags: '--json', description: 'print the summary as JSON' },
    ...campaignOptions,
  ],
  examples: [
    'assay simulate --seeds 1000',
    'assay simulate --seed 0x2a',
    'assay simulate --plan reports/plan-0x000000000000002a.json',
    'assay simulate --until 10m --faults none --out reports',
    'assay simulate --queue postgres://assay@127.0.0.1/assay --seeds 10000 --campaign nightly --wait',
    'assay simulate --target acme.yaml --seeds 20 --out reports',
  ],
  run: async (input) => (await import('../simulate/command.ts')).simulate(input),
};
