import type { OptionSpec } from '../command.ts';
import { collect, coverage, positive, runId, seed } from './option-values.ts';

/** Options that several commands have. */

export const baseUrlOption: OptionSpec = {
  flags: '--base-url <url>',
  description: 'a party to reach, as NAME=URL or a bare URL; may be given several times',
  read: collect,
};

export const targetOptions: readonly OptionSpec[] = [
  { flags: '--target <file>', description: 'target file; without one, the embedded reference' },
  baseUrlOption,
];

export const onlyFailedOption: OptionSpec = {
  flags: '--only-failed <report.json>',
  description: 'only what failed in an earlier run',
};

export const allowHostOption: OptionSpec = {
  flags: '--allow-host <name>',
  description: 'a name by which it may be reached, or HOST:PORT of a site whose pages may ask it',
  read: collect,
};

export const checksOption: OptionSpec = {
  flags: '--checks <file>',
  description: 'an ES module with checks and rules of your own; repeatable',
  read: collect,
};

export const rulesOption: OptionSpec = {
  ...checksOption,
  description: 'an ES module whose rules judge beside those of the suite; repeatable',
};

export const rateOption: OptionSpec = {
  flags: '--rate <n>',
  description: 'most requests a second (default: 100 on a system clock)',
  read: positive,
};

export const seedOption: OptionSpec = {
  flags: '--seed <n>',
  description: 'seed of everything that is drawn, or "random"',
  read: seed,
  // Fixed, so that a run without a word about seeds can be repeated.
  default: 1n,
};

export const runIdOption: OptionSpec = {
  flags: '--run-id <id>',
  description: 'gives the orders of this run the identifiers of that one (default: new ones)',
  read: runId,
};

export const waiversOption: OptionSpec = {
  flags: '--waivers <file>',
  description: 'known failures, each with its reason (docs/waivers.md)',
};

export const requireCoverageOption: OptionSpec = {
  flags: '--require-coverage <share>',
  description: 'exit 3 unless so much was judged: 80% of the checks, or "full"',
  read: coverage,
};

export const baselineOption: OptionSpec = {
  flags: '--baseline <report.json>',
  description: 'an earlier run: only what is new since then fails',
};

export const queueOption: OptionSpec = {
  flags: '--queue <url>',
  description: 'PostgreSQL that hands out the worlds, as postgres://USER@HOST/DATABASE',
};

export const jsonOption: OptionSpec = { flags: '--json', description: 'print the result as JSON' };

export const waitOption: OptionSpec = {
  flags: '--wait',
  description: 'until every world was played, then show what came of it',
};

export const campaignOutOption: OptionSpec = {
  flags: '--out <dir>',
  description: 'write simulation.json there, for assay report',
};

/** Options that every command has. */
export const outputOptions: readonly OptionSpec[] = [
  { flags: '--quiet', description: 'print nothing but errors, and what --json asks for' },
  { flags: '--no-color', description: 'print without colours, as with NO_COLOR' },
];
