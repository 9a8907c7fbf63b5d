import type { CommandSpec } from '../command.ts';
import { port, seed } from './option-values.ts';
import { allowHostOption } from './shared-options.ts';

export const cockpitCommand: CommandSpec = {
  name: 'cockpit',
  summary:
    'a page that drives the reference, or a target as far as it can be driven: act as any party, see each exchange judged',
  options: [
    {
      flags: '--target <file>',
      description: 'target file of a backend (default: a reference of its own)',
    },
    { flags: '--port <n>', description: 'port of the page (default: a free one)', read: port },
    { flags: '--host <address>', description: 'address to listen on (default: 127.0.0.1)' },
    allowHostOption,
    { flags: '--open <file>', description: 'walk through a scenario, a history.jsonl or a HAR' },
    { flags: '--world <seed>', description: 'walk through a world of `assay simulate`' },
    { flags: '--gaps <file>', description: "the reference's answers to gaps" },
    { flags: '--mutation <id>', description: 'break one requirement of the reference' },
    {
      flags: '--seed <n>',
      description: "seed of the reference's ids (default: another one each time)",
      read: seed,
    },
    { flags: '--json', description: 'print where everything is as JSON, once it is there' },
  ],
  examples: [
    'assay cockpit',
    'assay cockpit --target acme.yaml',
    'assay cockpit --open scenarios/happy/custodian.yaml',
    'assay cockpit --world 3 --mutation rate-as-number-when-settled',
  ],
  run: async (input) => (await import('../cockpit/command.ts')).cockpit(input),
};
