import { dirname, join } from 'node:path';
import type { History } from '../history/records.ts';
import { readHistory } from '../history/jsonl.ts';
import {
  diffReports,
  diffText,
  exitCodeOfReport,
  mergeReports,
  readReport,
  type RunReport,
  toCtrf,
  toHtml,
  toJson,
  toJunit,
  toMarkdown,
  toText,
} from '../report/index.ts';
import { readText } from '../run/read-text.ts';
import { suggestion } from '../yaml/index.ts';
import type { CommandInput } from './command.ts';
import { within, writeAll } from './files.ts';
import type { ExitCode, Terminal } from './terminal.ts';
import { complain } from './complain.ts';

interface ReportFlags {
  readonly format?: string;
  readonly out?: string;
  readonly merge?: true;
  readonly diff?: string;
}

type Write = (report: RunReport, history: History | undefined, terminal: Terminal) => string;

/** Formats by name, each with the file it goes into. */
const formats: Readonly<Record<string, readonly [file: string, write: Write]>> = {
  text: [
    'report.txt',
    (report, history, { hasColour }) =>
      toText(report, history, { colour: hasColour ? 'colour' : 'plain' }),
  ],
  json: ['report.json', (report) => toJson(report)],
  junit: ['junit.xml', (report) => toJunit(report)],
  ctrf: ['ctrf.json', (report) => toCtrf(report)],
  markdown: ['summary.md', (report) => toMarkdown(report)],
  html: ['report.html', (report, history) => toHtml(report, history)],
};

/** Turns reports into other formats, merges or compares them. */
export async function report({ terminal, words, options }: CommandInput): Promise<ExitCode> {
  const flags = options as ReportFlags;
  const names = (flags.format ?? 'text').split(',').map((name) => name.trim());
  const reports = words.map((word) => load(word, terminal));
  const base = flags.diff === undefined ? undefined : load(flags.diff, terminal);
  if (!known(names, terminal) || reports.includes(undefined)) return 2;
  if (flags.diff !== undefined && !base) return 2;
  const given = reports.filter((one) => one !== undefined);
  const one = merged(given, flags, terminal);
  if (!one) return 2;
  if (base) {
    terminal.out(diffText(diffReports(base.report, one.report)));
    return exitCodeOfReport(one.report);
  }
  const texts = names.map((name) => {
    const [file, write] = formats[name] ?? formats['text'] ?? [];
    return [file ?? '', write?.(one.report, one.history, terminal) ?? ''] as const;
  });
  if (flags.out === undefined) for (const [, text] of texts) terminal.out(text.trimEnd());
  else {
    writeAll(within(terminal.cwd, flags.out), texts);
    terminal.out(`${flags.out}: ${texts.map(([file]) => file).join(', ')}`);
  }
  return exitCodeOfReport(one.report);
}

function known(names: readonly string[], terminal: Terminal): boolean {
  const wrong = names.filter((name) => !Object.hasOwn(formats, name));
  for (const name of wrong) {
    const all = Object.keys(formats);
    const next = suggestion(name, all) ?? `one of ${all.join(', ')}`;
    complain(terminal, `there is no format ${JSON.stringify(name)}`, next);
  }
  return wrong.length === 0;
}

interface Loaded {
  readonly report: RunReport;
  /** What stands beside it; without it a report shows no exchanges. */
  readonly history: History | undefined;
}

function load(name: string, terminal: Terminal): Loaded | undefined {
  const path = within(terminal.cwd, name);
  const read = readText(path);
  if (!read.ok) {
    complain(terminal, `${name}: ${read.reason}`, 'assay check writes reports/report.json');
    return undefined;
  }
  const result = readReport(read.text);
  if (!result.ok) {
    complain(terminal, `${name}: ${result.problem}`, 'give a report.json of assay check');
    return undefined;
  }
  const beside = readText(join(dirname(path), 'history.jsonl'));
  const history = beside.ok ? readHistory(beside.text) : undefined;
  return { report: result.report, history: history?.ok ? history : undefined };
}

function merged(
  given: readonly Loaded[],
  flags: ReportFlags,
  terminal: Terminal,
): Loaded | undefined {
  const [first] = given;
  if (given.length === 1) return first;
  if (!flags.merge) {
    complain(terminal, 'several reports, and no word of what to do with them', 'add --merge');
    return undefined;
  }
  const result = mergeReports(given.map((one) => one.report));
  if (!result.ok) {
    complain(
      terminal,
      `the reports cannot be merged: ${result.problem}`,
      'merge shards of one run',
    );
    return undefined;
  }
  const records = given.flatMap(({ history }) => history?.records ?? []);
  return { report: result.report, history: { records } };
}
