import type { CommandSpec } from '../command.ts';
import { duration } from './option-values.ts';
import { baseUrlOption } from './shared-options.ts';

export const initCommand: CommandSpec = {
  name: 'init',
  summary: 'try the backends at some addresses, and write a commented target file of them',
  options: [
    baseUrlOption,
    {
      flags: '--network <file>',
      description:
        'a file with headers, tls and proxy as in a target file: the way to the addresses',
    },
    { flags: '--name <text>', description: 'what reports call the target (default: its host)' },
    {
      flags: '--max-wait <duration>',
      description: 'the longest a check may wait (default: 90s)',
      read: duration,
    },
    { flags: '--out <file>', description: 'the file to write (default: target.yaml)' },
    { flags: '--json', description: 'print what each party answered as JSON' },
  ],
  examples: [
    'assay init',
    'assay init --base-url http://127.0.0.1:9000/bank-a --base-url http://127.0.0.1:9000/mm-1',
    'assay init --network bank.yaml --base-url https://fx.bank.example/bank-a',
  ],
  run: async (input) => (await import('../init.ts')).init(input),
};
