import type { CommandSpec } from '../command.ts';
import { campaignOutOption, jsonOption, queueOption, waitOption } from './shared-options.ts';

export const campaignCommand: CommandSpec = {
  name: 'campaign',
  summary: 'show what came of a campaign; without a name, which there are',
  argument: ['[name]', 'the campaign'],
  options: [queueOption, waitOption, campaignOutOption, jsonOption],
  examples: [
    'assay campaign --queue postgres://assay@127.0.0.1/assay',
    'assay campaign nightly --queue postgres://assay@127.0.0.1/assay --wait --out reports',
  ],
  run: async (input) => (await import('../campaign/show.ts')).campaign(input),
};
