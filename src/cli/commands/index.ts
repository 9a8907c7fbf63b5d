import type { CommandSpec } from '../command.ts';
import { auditCommand } from './audit.ts';
import { campaignCommand } from './campaign.ts';
import { checkCommand } from './check.ts';
import { cockpitCommand } from './cockpit.ts';
import { compareCommand } from './compare.ts';
import { completionCommand } from './completion.ts';
import { initCommand } from './init.ts';
import { playCommand } from './play.ts';
import { probeCommand } from './probe.ts';
import { proxyCommand } from './proxy.ts';
import { replayCommand } from './replay.ts';
import { reportCommand } from './report.ts';
import { serveCommand } from './serve.ts';
import { outputOptions } from './shared-options.ts';
import { simulateCommand } from './simulate.ts';
import { specCommand } from './spec.ts';
import { workerCommand } from './worker.ts';

const each: readonly CommandSpec[] = [
  checkCommand,
  probeCommand,
  playCommand,
  simulateCommand,
  workerCommand,
  campaignCommand,
  serveCommand,
  cockpitCommand,
  proxyCommand,
  replayCommand,
  auditCommand,
  compareCommand,
  reportCommand,
  specCommand,
  initCommand,
  completionCommand(() => commands),
];

/** Every subcommand, in the order of the help. */
export const commands: readonly CommandSpec[] = each.map((spec) => ({
  ...spec,
  options: [...spec.options, ...outputOptions],
}));
