import { profileNames } from '../../run/profiles.ts';
import type { CommandSpec } from '../command.ts';
import { seedOption } from './shared-options.ts';

export const compareCommand: CommandSpec = {
  name: 'compare',
  summary: 'hold two targets against each other: what clients that meet both must know',
  argument: ['<target...>', 'two of: a target file, a report.json, or the word reference'],
  options: [
    {
      flags: '--profile <name>',
      description: 'how much of the suite judges a target file (default: the checks of smoke)',
      choices: profileNames,
    },
    { flags: '--markdown <file>', description: 'write it as a table in Markdown as well' },
    { flags: '--json', description: 'print it as JSON' },
    seedOption,
  ],
  examples: [
    'assay compare acme.yaml reference',
    'assay compare staging.yaml production/report.json --markdown risks.md',
  ],
  run: async (input) => (await import('../compare.ts')).compare(input),
};
