import type { CommandSpec } from '../command.ts';
import { jsonOption, runIdOption, seedOption, targetOptions } from './shared-options.ts';

export const probeCommand: CommandSpec = {
  name: 'probe',
  summary: 'reach every party and find how it answers what the document leaves open',
  options: [
    ...targetOptions,
    { flags: '--write', description: 'write what was found into the target file' },
    jsonOption,
    seedOption,
    runIdOption,
  ],
  examples: ['assay probe --target acme.yaml', 'assay probe --target acme.yaml --write'],
  run: async (input) => (await import('../probe.ts')).probe(input),
};
