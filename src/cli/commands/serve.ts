import type { CommandSpec } from '../command.ts';
import { port, seed } from './option-values.ts';
import { allowHostOption } from './shared-options.ts';

export const serveCommand: CommandSpec = {
  name: 'serve',
  summary: 'run the reference backend, all eight parties of the cast on one port',
  options: [
    { flags: '--port <n>', description: 'port; 0 takes a free one (default: 9000)', read: port },
    { flags: '--host <address>', description: 'address to listen on (default: 127.0.0.1)' },
    allowHostOption,
    {
      flags: '--clock <kind>',
      description: 'system, or virtual: time moves when told to (default: system)',
      choices: ['system', 'virtual'],
    },
    { flags: '--gaps <file>', description: 'answers to gaps other than the usual ones' },
    { flags: '--mutation <id>', description: 'break one requirement on purpose' },
    {
      flags: '--journal <dir>',
      description: 'keep all that happens there, and go on from it after a restart',
    },
    { flags: '--write-target <file>', description: 'write a target file for this server' },
    { flags: '--ui', description: 'serve the cockpit as well: a page that drives it' },
    {
      flags: '--seed <n>',
      description: 'seed of its parties, ids and keys (default: another one each time)',
      read: seed,
    },
    { flags: '--json', description: 'print where everything is as JSON, once it is there' },
  ],
  examples: [
    'assay serve',
    'assay serve --clock virtual --write-target reference.yaml',
    'assay serve --ui',
  ],
  run: async (input) => (await import('../serve.ts')).serve(input),
};
