import { writeHistory } from '../history/jsonl.ts';
import type { History } from '../history/records.ts';
import {
  applyBaseline,
  applyWaivers,
  type Baseline,
  compareWithBaseline,
  diffText,
  exitCodeOfReport,
  type RunReport,
  toAnnotations,
  toBadge,
  toCtrf,
  toHtml,
  toJson,
  toJunit,
  toMarkdown,
  toText,
  type Waiver,
} from '../report/index.ts';
import { suggestion } from '../yaml/index.ts';
import { type CommandInput, readAll, usageFailure } from './command.ts';
import { within, writeAll } from './files.ts';
import { type LoadedRun, mergeRuns } from './merge-runs.ts';
import { areCampaigns, baselineFrom, historyBeside, reportFrom } from './read-report.ts';
import type { ExitCode, Terminal } from './terminal.ts';
import { reportCampaigns } from './campaign-report.ts';
import { waiversFrom } from './waivers.ts';

interface ReportFlags {
  readonly format?: string;
  readonly out?: string;
  readonly merge?: true;
  readonly diff?: string;
  readonly waivers?: string;
  readonly baseline?: string;
}

interface Shown extends LoadedRun {
  /** What it is compared with. */
  readonly earlier: Baseline | undefined;
}

type Write = (shown: Shown, terminal: Terminal) => string;

/** A format of the report itself; where it is compared, what changed stands in it. */
const ofReport =
  (write: (report: RunReport, history: History | undefined) => string): Write =>
  ({ report: one, history, earlier }) =>
    write(earlier ? { ...one, baseline: compareWithBaseline(one, earlier) } : one, history);

const text: Write = ({ report: one, history, earlier }, { hasColour }) =>
  earlier
    ? diffText(earlier.report, one)
    : toText(one, history, { colour: hasColour ? 'colour' : 'plain' });

/** Formats by name, each with the file it goes into. */
const formats = new Map<string, readonly [file: string, write: Write]>([
  ['text', ['report.txt', text]],
  ['json', ['report.json', ofReport(toJson)]],
  ['junit', ['junit.xml', ofReport(toJunit)]],
  ['ctrf', ['ctrf.json', ofReport(toCtrf)]],
  ['markdown', ['summary.md', ofReport(toMarkdown)]],
  ['html', ['report.html', ofReport(toHtml)]],
  ['badge', ['badge.svg', ofReport(toBadge)]],
  ['github', ['annotations.txt', ofReport(toAnnotations)]],
]);

/** Turns reports into other formats, merges or compares them. */
export async function report(input: CommandInput): Promise<ExitCode> {
  const { terminal, words, options } = input;
  if (areCampaigns(words, terminal)) return reportCampaigns(input);
  const flags = options as ReportFlags;
  const { format = 'text', diff, out } = flags;
  const [reports, base, baseline, waivers, writers] = readAll(
    () => readAll(...words.map((word) => () => load(word, terminal))),
    () => (diff === undefined ? undefined : reportFrom(diff, terminal, `--diff ${diff}`)),
    () => baselineFrom(flags.baseline, terminal),
    () => waiversFrom(flags.waivers, terminal),
    () => readAll(...format.split(',').map((name) => () => writerOf(name.trim()))),
  );
  const one = merged(reports, flags);
  const judged = judgedAgain(one.report, waivers, baseline);
  const earlier = base && diff !== undefined ? { file: diff, report: base } : undefined;
  const texts = writers.map(
    ([file, write]) =>
      [file, write({ report: judged, history: one.history, earlier }, terminal)] as const,
  );
  if (out === undefined) for (const [, text] of texts) terminal.out(text.trimEnd());
  else {
    // Of several runs only what is written here has the exchanges under the ids that the findings name.
    const records = flags.merge && texts.some(([file]) => file === 'report.json') && one.history;
    const files = [
      ...texts,
      ...(records ? [['history.jsonl', writeHistory(records.records)] as const] : []),
    ];
    writeAll(within(terminal.cwd, out), files);
    terminal.out(`${out}: ${files.map(([file]) => file).join(', ')}`);
  }
  return exitCodeOfReport(judged);
}

/** Waivers and a baseline may be given to a report as well as to the run: to what was merged of several, above all. */
function judgedAgain(
  given: RunReport,
  waivers: readonly Waiver[],
  baseline: Baseline | undefined,
): RunReport {
  const waived = waivers.length > 0 ? applyWaivers(given, waivers) : given;
  return baseline ? applyBaseline(waived, baseline) : waived;
}

function writerOf(name: string): readonly [file: string, write: Write] {
  const format = formats.get(name);
  if (format) return format;
  const all = [...formats.keys()];
  const next = suggestion(name, all) ?? `one of ${all.join(', ')}`;
  throw usageFailure(`there is no format ${JSON.stringify(name)}`, next);
}

const load = (name: string, terminal: Terminal): LoadedRun => ({
  report: reportFrom(name, terminal),
  history: historyBeside(name, terminal),
});

function merged(given: readonly LoadedRun[], { merge }: ReportFlags): LoadedRun {
  const [first, ...others] = given;
  if (first && others.length === 0) return first;
  if (!merge) {
    throw usageFailure('several reports, and no word of what to do with them', 'add --merge');
  }
  const result = mergeRuns(given);
  if (!result.ok) {
    const what = `the reports cannot be merged: ${result.problem}`;
    throw usageFailure(what, 'merge shards of one run');
  }
  return result.run;
}
