import { dirname, join } from 'node:path';
import type { History } from '../history/records.ts';
import { readHistory } from '../history/jsonl.ts';
import {
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
import { type CommandInput, readAll, usageFailure } from './command.ts';
import { within, writeAll } from './files.ts';
import type { ExitCode, Terminal } from './terminal.ts';

interface ReportFlags {
  readonly format?: string;
  readonly out?: string;
  readonly merge?: true;
  readonly diff?: string;
}

type Write = (report: RunReport, history: History | undefined, terminal: Terminal) => string;

/** Formats by name, each with the file it goes into. */
const formats = new Map<string, readonly [file: string, write: Write]>([
  [
    'text',
    [
      'report.txt',
      (report, history, { hasColour }) =>
        toText(report, history, { colour: hasColour ? 'colour' : 'plain' }),
    ],
  ],
  ['json', ['report.json', toJson]],
  ['junit', ['junit.xml', toJunit]],
  ['ctrf', ['ctrf.json', toCtrf]],
  ['markdown', ['summary.md', toMarkdown]],
  ['html', ['report.html', toHtml]],
]);

/** Turns reports into other formats, merges or compares them. */
export async function report({ terminal, words, options }: CommandInput): Promise<ExitCode> {
  const flags = options as ReportFlags;
  const { format = 'text', diff, out } = flags;
  const [reports, base, writers] = readAll(
    () => readAll(...words.map((word) => () => load(word, terminal))),
    () => (diff === undefined ? undefined : load(diff, terminal)),
    () => readAll(...format.split(',').map((name) => () => writerOf(name.trim()))),
  );
  const one = merged(reports, flags);
  if (base) {
    terminal.out(diffText(base.report, one.report));
    return exitCodeOfReport(one.report);
  }
  const texts = writers.map(
    ([file, write]) => [file, write(one.report, one.history, terminal)] as const,
  );
  if (out === undefined) for (const [, text] of texts) terminal.out(text.trimEnd());
  else {
    writeAll(within(terminal.cwd, out), texts);
    terminal.out(`${out}: ${texts.map(([file]) => file).join(', ')}`);
  }
  return exitCodeOfReport(one.report);
}

function writerOf(name: string): readonly [file: string, write: Write] {
  const format = formats.get(name);
  if (format) return format;
  const all = [...formats.keys()];
  const next = suggestion(name, all) ?? `one of ${all.join(', ')}`;
  throw usageFailure(`there is no format ${JSON.stringify(name)}`, next);
}

interface Loaded {
  readonly report: RunReport;
  /** What stands beside it; without it a report shows no exchanges. */
  readonly history: History | undefined;
}

function load(name: string, terminal: Terminal): Loaded {
  const path = within(terminal.cwd, name);
  const read = readText(path);
  if (!read.ok) {
    throw usageFailure(`${name}: ${read.reason}`, 'assay check writes reports/report.json');
  }
  const result = readReport(read.text);
  if (!result.ok) {
    throw usageFailure(`${name}: ${result.problem}`, 'give a report.json of assay check');
  }
  const beside = readText(join(dirname(path), 'history.jsonl'));
  const history = beside.ok ? readHistory(beside.text) : undefined;
  return { report: result.report, history: history?.ok ? history : undefined };
}

function merged(given: readonly Loaded[], { merge }: ReportFlags): Loaded {
  const [first, ...others] = given;
  if (first && others.length === 0) return first;
  if (!merge) {
    throw usageFailure('several reports, and no word of what to do with them', 'add --merge');
  }
  const result = mergeReports(given.map((one) => one.report));
  if (!result.ok) {
    const what = `the reports cannot be merged: ${result.problem}`;
    throw usageFailure(what, 'merge shards of one run');
  }
  const records = given.flatMap(({ history }) => history?.records ?? []);
  return { report: result.report, history: { records } };
}
