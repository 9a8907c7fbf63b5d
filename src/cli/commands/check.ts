import { profileNames } from '../../run/profiles.ts';
import type { CommandSpec, OptionSpec } from '../command.ts';
import { collect, duration, positive, shard } from './option-values.ts';
import {
  baselineOption,
  checksOption,
  onlyFailedOption,
  rateOption,
  requireCoverageOption,
  runIdOption,
  seedOption,
  targetOptions,
  waiversOption,
} from './shared-options.ts';

export const checkOptions: readonly OptionSpec[] = [
  ...targetOptions,
  {
    flags: '--only <pattern>',
    description: 'checks by id, requirement, part or party; * stands for anything; repeatable',
    read: collect,
  },
  onlyFailedOption,
  checksOption,
  {
    flags: '--profile <name>',
    description: 'how much to judge: smoke takes at most 15 s, standard no wait over a minute',
    choices: profileNames,
  },
  {
    flags: '--shard <i/n>',
    description: 'one part of the checks, such as 2/4; assay report --merge joins them',
    read: shard,
  },
  { flags: '--out <dir>', description: 'where the reports go (default: reports)' },
  { flags: '--max-wait <duration>', description: 'the longest a check may wait', read: duration },
  { flags: '--concurrency <n>', description: 'most calls in flight at once', read: positive },
  rateOption,
  seedOption,
  runIdOption,
  waiversOption,
  baselineOption,
  { flags: '--json', description: 'print report.json instead of text' },
  {
    flags: '--events <file>',
    description: 'tell there what happens while it runs, as NDJSON; - is standard output',
  },
  { flags: '--strict', description: 'exit 3 unless everything was exercised and proven' },
  requireCoverageOption,
  { flags: '--dry-run', description: 'show what would run and how long it would take' },
  { flags: '--mutation <id>', description: 'break the embedded reference on purpose' },
];

export const checkCommand: CommandSpec = {
  name: 'check',
  summary: 'judge a backend against every requirement of the interface',
  options: checkOptions,
  examples: [
    'assay check',
    'assay check --target acme.yaml --only "order.*"',
    'assay check --target acme.yaml --profile smoke',
    'assay check --target acme.yaml --require-coverage 80%',
    'assay check --target acme.yaml --checks own-checks.mjs',
    'assay check --target acme.yaml --shard 2/4 --out part-2',
    'assay check --base-url sender=http://127.0.0.1:9000/bank-a --base-url maker_a=http://127.0.0.1:9000/mm-1',
  ],
  run: async (input) => (await import('../check/command.ts')).check(input),
};
