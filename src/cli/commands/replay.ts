import type { CommandSpec } from '../command.ts';
import { checkOptions } from './check.ts';
import { moment } from './option-values.ts';

export const replayCommand: CommandSpec = {
  name: 'replay',
  summary: 'run one check alone, by its id; or tell what a journal holds',
  argument: ['[check-id]', 'the check, as a report names it'],
  options: [
    ...checkOptions.filter(
      ({ flags }) =>
        !/^--(only|only-failed|shard|events|json|dry-run|profile|require-coverage)/.test(flags),
    ),
    {
      flags: '--explain',
      description: 'print each exchange and event as it happens, with bodies',
    },
    {
      flags: '--export <format>',
      description: 'write what shows the failure again: sh (curl and jq) or scenario',
      choices: ['sh', 'scenario'],
    },
    {
      flags: '--to <file>',
      description: 'where the export goes (default: CHECK.sh, CHECK.yaml)',
    },
    { flags: '--requirement <id>', description: 'which failure to export, if there are several' },
    { flags: '--journal <dir>', description: 'rebuild the state of a served reference instead' },
    {
      flags: '--at <time>',
      description: 'with --journal: as of this moment (default: the last)',
      read: moment,
    },
    { flags: '--judge', description: 'with --journal: let it happen again, and judge it' },
    { flags: '--json', description: 'with --journal: the state whole, as JSON' },
  ],
  examples: [
    'assay replay order.cancel.pending --target acme.yaml --explain',
    'assay replay order.cancel.pending --target acme.yaml --export sh',
    'assay replay order.cancel.pending --seed 7',
    'assay replay --journal journal --at 2030-01-01T00:00:05.000Z --judge',
  ],
  run: async (input) => (await import('../replay/command.ts')).replay(input),
};
