import type { CommandSpec } from '../command.ts';
import { port } from './option-values.ts';
import { allowHostOption, rulesOption } from './shared-options.ts';

export const proxyCommand: CommandSpec = {
  name: 'proxy',
  summary: 'stand between clients and backends, change nothing, and judge what passes',
  options: [
    { flags: '--target <file>', description: 'target file: the backends, their answers to gaps' },
    {
      flags: '--port <n>',
      description: 'the first port, one for each party; 0 takes free ones (default: 9100)',
      read: port,
    },
    { flags: '--host <address>', description: 'address to listen on (default: 127.0.0.1)' },
    allowHostOption,
    rulesOption,
    {
      flags: '--write-target <file>',
      description: "write the target file with the proxy's addresses in it",
    },
    { flags: '--out <dir>', description: 'write the session there: reports, history, scenario' },
    { flags: '--json', description: 'print events as NDJSON instead of text' },
  ],
  examples: [
    'assay proxy --target acme.yaml',
    'assay proxy --target acme.yaml --write-target through-proxy.yaml --out session',
  ],
  run: async (input) => (await import('../proxy/command.ts')).proxy(input),
};
