import type { CommandSpec } from '../command.ts';

export const specCommand: CommandSpec = {
  name: 'spec',
  summary: 'print what the suite knows of the interface',
  argument: [
    '<what>',
    'requirements, gaps, openapi, asyncapi or schemas; or the id of a requirement, for all about it',
  ],
  words: ['requirements', 'gaps', 'openapi', 'asyncapi', 'schemas'],
  options: [{ flags: '--json', description: 'as JSON, where the usual form is text' }],
  examples: [
    'assay spec order.cancel.executing-refused',
    'assay spec requirements',
    'assay spec openapi > openapi.json',
  ],
  run: async (input) => (await import('../spec.ts')).spec(input),
};
