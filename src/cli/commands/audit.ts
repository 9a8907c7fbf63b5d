import type { CommandSpec } from '../command.ts';
import { collect } from './option-values.ts';
import { baselineOption, rulesOption, waiversOption } from './shared-options.ts';

export const auditCommand: CommandSpec = {
  name: 'audit',
  summary: 'judge recorded traffic by every rule, without reaching anybody',
  argument: ['<recording...>', 'HAR files of browsers or proxies, or the history.jsonl of a run'],
  options: [
    {
      flags: '--target <file>',
      description: 'target file: names the parties, and their answers to gaps',
    },
    {
      flags: '--base-url <url>',
      description: 'a party of the recording, as NAME=URL; repeatable',
      read: collect,
    },
    {
      flags: '--report <report.json>',
      description: 'of the run that recorded it (default: the one beside it)',
    },
    { flags: '--out <dir>', description: 'write the reports there' },
    { flags: '--json', description: 'print report.json instead of text' },
    rulesOption,
    waiversOption,
    baselineOption,
    { flags: '--strict', description: 'exit 3 unless everything was exercised and proven' },
  ],
  examples: [
    'assay audit traffic.har',
    'assay audit traffic.har --base-url sender=https://fx.example/bank-a',
    'assay audit reports/history.jsonl',
  ],
  run: async (input) => (await import('../audit.ts')).audit(input),
};
