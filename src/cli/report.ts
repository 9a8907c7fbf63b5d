import { basename, dirname } from 'node:path';
import { writeHistory } from '../history/jsonl.ts';
import { harOf } from '../recording/index.ts';
import {
  applyBaseline,
  applyWaivers,
  compareWithBaseline,
  diffText,
  exitCodeOfReport,
  historyFiles,
  requiredText,
  toAnnotations,
  toBadge,
  toCtrf,
  toHtml,
  toJson,
  toJunit,
  toMarkdown,
  toText,
  type NamedReport,
  type RunReport,
  type Waiver,
} from '../report/index.ts';
import type { RequiredCoverage } from '../results/coverage.ts';
import {
  matrixHtml,
  matrixJson,
  matrixMarkdown,
  matrixOf,
  type Matrix,
} from '../report/compare/matrix.ts';
import { count } from '../report/labels.ts';
import { reasonOf } from '../run/read-text.ts';
import { suggestion } from '../yaml/index.ts';
import { readAll, type CommandInput, usageFailure } from './command.ts';
import { within, writeAll } from './files.ts';
import { mergeRuns, type LoadedRun } from './merge-runs.ts';
import { areCampaigns, baselineFrom, historyBeside, reportFrom } from './read-report.ts';
import type { ExitCode, Terminal } from './terminal.ts';
import { reportCampaigns } from './campaign-report.ts';
import { uiPage } from './ui-page.ts';
import { waiversFrom } from './waivers.ts';

interface ReportFlags {
  readonly format?: string;
  readonly out?: string;
  readonly har?: string;
  readonly matrix?: true;
  readonly merge?: true;
  readonly diff?: string;
  readonly waivers?: string;
  readonly baseline?: string;
  readonly requireCoverage?: RequiredCoverage;
}

/** A run with the name of its file. */
interface Loaded extends LoadedRun {
  readonly file: string;
}

interface Shown extends Loaded {
  /** Runs before it, for a page that shows how each requirement fared in all of them. */
  readonly before: readonly NamedReport[];
  /** Earlier report for the comparison. */
  readonly earlier: NamedReport | undefined;
}

type Write = (shown: Shown, terminal: Terminal) => string;

/** A format of the report itself. It contains the changes if the report is compared. */
const ofReport =
  (write: (report: RunReport, shown: Shown, terminal: Terminal) => string): Write =>
  (shown, terminal) => {
    const { report: one, earlier } = shown;
    return write(
      earlier ? { ...one, baseline: compareWithBaseline(one, earlier) } : one,
      shown,
      terminal,
    );
  };

const text: Write = ({ report: one, history, earlier }, { hasColour }) =>
  earlier
    ? diffText(earlier.report, one)
    : toText(one, history, { colour: hasColour ? 'colour' : 'plain' });

const html = (one: RunReport, { history, before, file }: Shown, { secrets }: Terminal): string =>
  toHtml(one, {
    shell: uiPage('report'),
    history: history && historyFiles(history.records, one, secrets).page,
    earlier: before,
    file,
  });

/** Formats by name, each with the file it goes into. */
const formats = new Map<string, readonly [file: string, write: Write]>([
  ['text', ['report.txt', text]],
  ['json', ['report.json', ofReport(toJson)]],
  ['junit', ['junit.xml', ofReport(toJunit)]],
  ['ctrf', ['ctrf.json', ofReport(toCtrf)]],
  ['markdown', ['summary.md', ofReport(toMarkdown)]],
  ['html', ['report.html', ofReport(html)]],
  ['badge', ['badge.svg', ofReport(toBadge)]],
  ['github', ['annotations.txt', ofReport(toAnnotations)]],
]);

export const formatNames: readonly string[] = [...formats.keys()];

/** Turns reports into other formats, merges or compares them. */
export async function report(input: CommandInput): Promise<ExitCode> {
  const { terminal, words, options } = input;
  if (areCampaigns(words, terminal)) return reportCampaigns(input);
  const flags = options as ReportFlags;
  if (flags.matrix) return matrix(words, flags, terminal);
  const { har, diff, out } = flags;
  const { format = har === undefined || out !== undefined ? 'text' : '' } = flags;
  const [reports, base, baseline, waivers, writers] = readAll(
    () => readAll(...words.map((word) => () => load(word, terminal))),
    () => (diff === undefined ? undefined : reportFrom(diff, terminal, `--diff ${diff}`)),
    () => baselineFrom(flags.baseline, terminal),
    () => waiversFrom(flags.waivers, terminal),
    () =>
      readAll(
        ...format
          .split(',')
          .filter(Boolean)
          .map((name) => () => writerOf(name.trim(), formats)),
      ),
  );
  const { before, ...one } = chosen(reports, flags);
  if (har !== undefined) writeHar(har, one, terminal);
  const judged = judgedAgain(one.report, waivers, baseline);
  const earlier = base && diff !== undefined ? { file: diff, report: base } : undefined;
  const texts = writers.map(
    ([file, write]) =>
      [file, write({ ...one, report: judged, before, earlier }, terminal)] as const,
  );
  if (out === undefined) for (const [, text] of texts) terminal.out(text.trimEnd());
  else {
    // A merged history must be written: only it has the exchanges under the ids that the merged findings name.
    const records = flags.merge && texts.some(([file]) => file === 'report.json') && one.history;
    const files = [
      ...texts,
      ...(records
        ? [['history.jsonl', writeHistory(records.records, terminal.secrets)] as const]
        : []),
    ];
    writeAll(terminal.secrets, within(terminal.cwd, out), files);
    terminal.out(`${out}: ${files.map(([file]) => file).join(', ')}`);
  }
  const { requireCoverage } = flags;
  const say = out === undefined ? terminal.err : terminal.out;
  if (requireCoverage) say(requiredText(judged, requireCoverage));
  return exitCodeOfReport(judged, 'lenient', requireCoverage);
}

/** Forms of a matrix by name, each with the file it goes into. */
const matrixForms = new Map<string, readonly [file: string, write: (matrix: Matrix) => string]>([
  ['markdown', ['matrix.md', matrixMarkdown]],
  ['html', ['matrix.html', matrixHtml]],
  ['json', ['matrix.json', matrixJson]],
]);

/** Several targets side by side. Differences are no failure: it ends with 0. */
function matrix(words: readonly string[], flags: ReportFlags, terminal: Terminal): ExitCode {
  const { format = 'markdown', out } = flags;
  const others = (
    ['har', 'merge', 'diff', 'waivers', 'baseline', 'requireCoverage'] as const
  ).filter((name) => flags[name] !== undefined);
  if (others.length > 0) {
    throw usageFailure(`--matrix goes with none of ${others.join(', ')}`, 'give reports alone');
  }
  if (words.length < 2) throw usageFailure('a matrix takes two reports at least', 'name more');
  const [reports, forms] = readAll(
    () =>
      readAll(...words.map((word) => () => ({ file: word, report: reportFrom(word, terminal) }))),
    () => readAll(...format.split(',').map((name) => () => writerOf(name.trim(), matrixForms))),
  );
  const found = matrixOf(reports);
  const texts = forms.map(([file, write]) => [file, write(found)] as const);
  if (out === undefined) for (const [, text] of texts) terminal.out(text.trimEnd());
  else {
    writeAll(terminal.secrets, within(terminal.cwd, out), texts);
    terminal.out(`${out}: ${texts.map(([file]) => file).join(', ')}`);
  }
  return 0;
}

/** The run as HAR 1.2, which `assay audit` reads back. */
function writeHar(name: string, { file, report: one, history }: Loaded, terminal: Terminal): void {
  if (!history) {
    throw usageFailure(
      `--har ${name}: there is no history.jsonl beside ${file}`,
      'give the report.json of a run as it was written',
    );
  }
  const path = within(terminal.cwd, name);
  try {
    writeAll(terminal.secrets, dirname(path), [[basename(path), harOf(history.records, one)]]);
  } catch (error) {
    throw usageFailure(`--har ${name}: ${reasonOf(error)}`, 'name a file that can be written');
  }
  const requests = history.records.filter(({ kind }) => kind === 'exchange').length;
  terminal.out(`${name}: ${count(requests, 'request')} as HAR 1.2`);
}

/** Applies waivers and a baseline to a report. Useful above all for a report that was merged from several. */
function judgedAgain(
  given: RunReport,
  waivers: readonly Waiver[],
  baseline: NamedReport | undefined,
): RunReport {
  const waived = waivers.length > 0 ? applyWaivers(given, waivers) : given;
  return baseline ? applyBaseline(waived, baseline) : waived;
}

function writerOf<Writer>(name: string, known: ReadonlyMap<string, Writer>): Writer {
  const format = known.get(name);
  if (format) return format;
  const all = [...known.keys()];
  const next = suggestion(name, all) ?? `one of ${all.join(', ')}`;
  throw usageFailure(`there is no format ${JSON.stringify(name)}`, next);
}

const load = (name: string, terminal: Terminal): Loaded => ({
  file: name,
  report: reportFrom(name, terminal),
  history: historyBeside(name, terminal),
});

type Chosen = Loaded & Pick<Shown, 'before'>;

/**
 * Merges several reports, or, for an HTML page without `--merge`, shows the last one with the others as earlier runs.
 */
function chosen(given: readonly Loaded[], { merge, format }: ReportFlags): Chosen {
  const last = given.at(-1);
  // A part of a suite is merged even if it is the only one: its others are missing.
  const isPart = merge && last?.report.coverage?.part?.shard;
  if (last && given.length === 1 && !isPart) return { ...last, before: [] };
  if (last && !merge && format === 'html') return { ...last, before: given.slice(0, -1) };
  if (!merge) {
    const what = 'several reports, and no word of what to do with them';
    throw usageFailure(what, 'add --merge, or --format html to see them side by side');
  }
  const twice = sameRun(given);
  const result = twice ? { ok: false as const, problem: twice } : mergeRuns(given);
  if (!result.ok) {
    const what = `the reports cannot be merged: ${result.problem}`;
    throw usageFailure(what, 'give each part of one run once');
  }
  const file = given.map((one) => one.file).join(' + ');
  return { ...result.run, file, before: [] };
}

/** Two files that hold the same run: its exercises would count twice. */
function sameRun(given: readonly Loaded[]): string | undefined {
  const files = new Map<string, string>();
  for (const { file, report: one } of given) {
    const written = JSON.stringify(one);
    const other = files.get(written);
    if (other === file) return `${file} is given twice`;
    if (other !== undefined) return `${other} and ${file} hold the same run`;
    files.set(written, file);
  }
  return undefined;
}
