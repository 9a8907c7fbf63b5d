import type { CommandSpec } from '../command.ts';
import { assignments, collect, duration, positive } from './option-values.ts';
import {
  onlyFailedOption,
  rateOption,
  rulesOption,
  runIdOption,
  seedOption,
  targetOptions,
  waiversOption,
} from './shared-options.ts';

export const playCommand: CommandSpec = {
  name: 'play',
  summary: 'play scenarios, timed flows of several parties written in YAML',
  argument: ['<scenario...>', 'files, folders or patterns; - is standard input'],
  options: [
    ...targetOptions,
    {
      flags: '--tag <tag>',
      description: 'only scenarios with this tag; repeatable',
      read: collect,
    },
    {
      flags: '--set <name=value>',
      description: 'another value than the default under `values`; repeatable',
      read: assignments,
    },
    rulesOption,
    onlyFailedOption,
    waiversOption,
    {
      flags: '--max-wait <duration>',
      description: 'the longest a step may wait',
      read: duration,
    },
    {
      flags: '--concurrency <n>',
      description: 'scenarios at once on a target (default: 16)',
      read: positive,
    },
    rateOption,
    { flags: '--out <dir>', description: 'write the run report there, timelines in it' },
    { flags: '--json', description: 'print report.json instead of text' },
    { flags: '--watch', description: 'play again whenever a file changes' },
    seedOption,
    runIdOption,
    { flags: '--strict', description: 'exit 3 unless every scenario was played and decided' },
    { flags: '--dry-run', description: 'show who takes part, what waits and what is verified' },
    { flags: '--mutation <id>', description: 'break the embedded reference on purpose' },
  ],
  examples: [
    'assay play scenarios',
    'assay play scenarios/happy/institution.yaml --seed 7',
    'assay play scenarios --target acme.yaml',
    'assay play flow.yaml --set amount=12.50',
    'assay play - --json < flow.yaml',
  ],
  run: async (input) => (await import('../play/command.ts')).playCommand(input),
};
