import { readText } from '../run/read-text.ts';
import { exitCodeOfCampaign } from '../simulation/campaign/exit-code.ts';
import { mergeSummaries, type NamedSummary } from '../simulation/campaign/merge.ts';
import { readCampaign } from '../simulation/campaign/read.ts';
import { toCampaignJson, toCampaignText } from '../simulation/campaign/text.ts';
import { listUnreached } from './campaign/unreached.ts';
import { type CommandInput, readAll, usageFailure } from './command.ts';
import { within, writeAll } from './files.ts';
import type { ExitCode, Terminal } from './terminal.ts';

interface CampaignReportFlags {
  readonly format?: string;
  readonly out?: string;
}

/** Formats by name, each with the file it goes into. */
const formats = new Map([
  ['text', 'simulation.txt'],
  ['json', 'simulation.json'],
] as const);

/** Options for reports of runs only: refused for a simulation.json. */
const ofRuns = ['diff', 'waivers', 'baseline'];

/** `assay report` of simulation.json files: shows one, or merges several. */
export function reportCampaigns({ terminal, words, options }: CommandInput): ExitCode {
  const { format = 'text', out } = options as CampaignReportFlags;
  const [summaries, names] = readAll(
    () => readAll(...words.map((word) => () => load(word, terminal))),
    () => readAll(...format.split(',').map((name) => () => known(name.trim()))),
    () => refuseOthers(options),
  );
  const [first, ...others] = summaries;
  if (!first) throw usageFailure('no file to report of', 'name a simulation.json');
  const merged = mergeSummaries([first, ...others]);
  if (!merged.ok) {
    const next = 'merge disjoint seeds that one suite played with the same options';
    throw usageFailure(`these cannot be merged: ${merged.problem}`, next);
  }
  const { summary } = merged;
  const texts = { text: toCampaignText(summary, listUnreached), json: toCampaignJson(summary) };
  if (out === undefined) for (const name of names) terminal.out(texts[name].trimEnd());
  else {
    const files = names.map((name) => [formats.get(name) ?? name, texts[name]] as const);
    writeAll(terminal.secrets, within(terminal.cwd, out), files);
    terminal.out(`${out}: ${files.map(([file]) => file).join(', ')}`);
  }
  return exitCodeOfCampaign(summary, 'none missing');
}

function load(name: string, { cwd }: Terminal): NamedSummary {
  const read = readText(within(cwd, name), 'record.bytes');
  const result = read.ok ? readCampaign(read.text) : { ok: false as const, problem: read.reason };
  if (result.ok) return { name, summary: result.summary };
  throw usageFailure(`${name}: ${result.problem}`, 'give a simulation.json of assay simulate');
}

function known(name: string): 'text' | 'json' {
  if (name === 'text' || name === 'json') return name;
  const what = `what worlds came to has no format ${JSON.stringify(name)}`;
  throw usageFailure(what, 'one of text, json');
}

function refuseOthers(options: CommandInput['options']): void {
  const given = ofRuns.filter((name) => options[name] !== undefined);
  if (given.length === 0) return;
  const words = given.map((name) => `--${name}`).join(', ');
  throw usageFailure(`${words}: not for a simulation.json`, 'leave it out');
}
