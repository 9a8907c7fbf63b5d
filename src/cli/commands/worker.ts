import type { CommandSpec } from '../command.ts';
import { duration, positive } from './option-values.ts';
import { queueOption } from './shared-options.ts';

export const workerCommand: CommandSpec = {
  name: 'worker',
  summary: 'play worlds of campaigns that a queue hands out, on any number of machines',
  options: [
    queueOption,
    {
      flags: '--workers <n>',
      description: 'ranges at a time (default: as many as processors)',
      read: positive,
    },
    { flags: '--until <duration>', description: 'take no range after that', read: duration },
    { flags: '--drain', description: 'end once no range is left' },
  ],
  examples: [
    'assay worker --queue postgres://assay@127.0.0.1/assay',
    'assay worker --queue postgres://assay@127.0.0.1/assay --workers 4 --drain',
  ],
  run: async (input) => (await import('../worker.ts')).worker(input),
};
