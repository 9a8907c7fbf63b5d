import type { CommandSpec } from '../command.ts';
import { baselineOption, requireCoverageOption, waiversOption } from './shared-options.ts';

export const reportCommand: CommandSpec = {
  name: 'report',
  summary: 'turn report.json into other formats, merge several, or compare two',
  argument: ['<run.json...>', 'one or more report.json, or simulation.json'],
  options: [
    {
      flags: '--format <list>',
      description:
        'text, json, junit, ctrf, markdown, html, badge or github, with commas (default: text)',
    },
    { flags: '--out <dir>', description: 'write files there instead of to the terminal' },
    {
      flags: '--har <file>',
      description: 'write the run as HAR 1.2, for `assay audit` or a browser',
    },
    {
      flags: '--matrix',
      description: 'the targets of several reports side by side: markdown, html or json',
    },
    { flags: '--merge', description: 'one report out of the several given' },
    { flags: '--diff <base.json>', description: 'what changed since another run' },
    waiversOption,
    baselineOption,
    requireCoverageOption,
  ],
  examples: [
    'assay report reports/report.json --format html,junit --out site',
    'assay report monday/report.json tuesday/report.json --format html --out site',
    'assay report one/report.json two/report.json --merge --baseline main.json',
    'assay report reports/report.json --diff main.json',
    'assay report reports/report.json --har run.har',
    'assay report acme.json nova.json orbit.json --matrix --format html --out site',
    'assay report monday/simulation.json tuesday/simulation.json',
  ],
  run: async (input) => (await import('../report.ts')).report(input),
};
