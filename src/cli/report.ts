import { basename, dirname } from 'node:path';
import { writeHistory } from '../history/jsonl.ts';
import { harOf } from '../recording/index.ts';
import {
  type Matrix,
  matrixHtml,
  matrixJson,
  matrixMarkdown,
  matrixOf,
} from '../report/compare/matrix.ts';
import {
  compareWithBaseline,
  diffText,
  exitCodeOfReport,
  historyFiles,
  type NamedReport,
  requiredText,
  type RunReport,
  toAnnotations,
  toBadge,
  toCtrf,
  toHtml,
  toJson,
  toJunit,
  toMarkdown,
  toText,
  toWaivers,
} from '../report/index.ts';
import { count } from '../report/labels.ts';
import { readText, reasonOf } from '../run/read-text.ts';
import { exitCodeOfCampaign } from '../simulation/campaign/exit-code.ts';
import { mergeSummaries, type NamedSummary } from '../simulation/campaign/merge.ts';
import { isCampaign, readCampaign } from '../simulation/campaign/read.ts';
import { toCampaignJson, toCampaignText } from '../simulation/campaign/text.ts';
import type { CampaignSummary } from '../simulation/outcome.ts';
import { suggestion } from '../yaml/index.ts';
import { listUnreached } from './campaign/unreached.ts';
import { type CommandInput, readAll, usageFailure } from './command.ts';
import { textOf, within, writeAll } from './files.ts';
import type { Flags } from './flags.ts';
import {
  baselineFrom,
  type LoadedRun,
  mergeRuns,
  reportFrom,
  runFrom,
  withKnown,
} from './read-report.ts';
import { colourOf, type ExitCode, type Terminal } from './terminal.ts';
import { uiPage } from './ui-page.ts';
import { waiversFrom } from './waivers.ts';

interface Loaded extends LoadedRun {
  readonly file: string;
}

interface Shown extends Loaded {
  /** Runs before it, for a page that shows how each requirement fared in all of them. */
  readonly before: readonly NamedReport[];
  readonly earlier: NamedReport | undefined;
}

/** Formats by name, each with the file it goes into. */
type Formats<Args extends readonly unknown[]> = ReadonlyMap<
  string,
  readonly [file: string, write: (...args: Args) => string]
>;

type Write = (shown: Shown, terminal: Terminal) => string;

/** A format of the report itself. It contains the changes if the report is compared. */
const ofReport =
  (write: (report: RunReport, shown: Shown, terminal: Terminal) => string): Write =>
  (shown, terminal) => {
    const { report: one, earlier } = shown;
    const compared = earlier ? { ...one, baseline: compareWithBaseline(one, earlier) } : one;
    return write(compared, shown, terminal);
  };

const text: Write = ({ report: one, history, earlier }, terminal) =>
  earlier ? diffText(earlier.report, one) : toText(one, history, { colour: colourOf(terminal) });

const html = (one: RunReport, { history, before, file }: Shown, { secrets }: Terminal): string =>
  toHtml(one, {
    shell: uiPage('report'),
    history: history && historyFiles(history.records, one, secrets).page,
    earlier: before,
    file,
  });

const formats: Formats<Parameters<Write>> = new Map([
  ['text', ['report.txt', text]],
  ['json', ['report.json', ofReport(toJson)]],
  ['junit', ['junit.xml', ofReport(toJunit)]],
  ['ctrf', ['ctrf.json', ofReport(toCtrf)]],
  ['markdown', ['summary.md', ofReport(toMarkdown)]],
  ['html', ['report.html', ofReport(html)]],
  ['badge', ['badge.svg', ofReport(toBadge)]],
  ['github', ['annotations.txt', ofReport(toAnnotations)]],
  ['waivers', ['waivers.yaml', ofReport(toWaivers)]],
]);

export const formatNames: readonly string[] = [...formats.keys()];

const matrixForms: Formats<[Matrix]> = new Map([
  ['markdown', ['matrix.md', matrixMarkdown]],
  ['html', ['matrix.html', matrixHtml]],
  ['json', ['matrix.json', matrixJson]],
]);

const campaignForms: Formats<[CampaignSummary]> = new Map([
  ['text', ['simulation.txt', (summary) => toCampaignText(summary, listUnreached)]],
  ['json', ['simulation.json', toCampaignJson]],
]);

/** The writers that `--format` names. */
const writersOf = <Args extends readonly unknown[]>(
  given: string,
  known: Formats<Args>,
  refuse: (name: string, all: readonly string[]) => Error = noFormat,
) =>
  readAll<readonly (readonly [string, (...args: Args) => string])[]>(
    ...given
      .split(',')
      .filter(Boolean)
      .map((text) => () => {
        const name = text.trim();
        const format = known.get(name);
        if (format) return format;
        throw refuse(name, [...known.keys()]);
      }),
  );

const noFormat = (name: string, all: readonly string[]): Error =>
  usageFailure(
    `there is no format ${JSON.stringify(name)}`,
    suggestion(name, all) ?? `one of ${all.join(', ')}`,
  );

/** Writes texts into the folder of `--out`, or prints them. */
function handOver(
  files: readonly (readonly [name: string, text: string])[],
  out: string | undefined,
  terminal: Terminal,
): void {
  if (out === undefined) for (const [, one] of files) terminal.out(one.trimEnd());
  else {
    writeAll(terminal.secrets, within(terminal.cwd, out), files);
    terminal.out(`${out}: ${files.map(([file]) => file).join(', ')}`);
  }
}

/** Turns reports into other formats, merges or compares them. */
export async function report({ terminal, words, flags }: CommandInput): Promise<ExitCode> {
  if (areCampaigns(words, terminal)) return campaigns(words, flags, terminal);
  if (flags.matrix) return matrix(words, flags, terminal);
  const { har, diff, out, requireCoverage } = flags;
  const format = flags.format ?? (har === undefined || out !== undefined ? 'text' : undefined);
  const [reports, base, baseline, waivers, writers] = readAll(
    () => readAll(...words.map((file) => (): Loaded => ({ file, ...runFrom(file, terminal) }))),
    () => (diff === undefined ? undefined : reportFrom(diff, terminal, '--diff')),
    () => baselineFrom(flags.baseline, terminal),
    () => waiversFrom(flags.waivers, terminal),
    () => (format === undefined ? [] : writersOf(format, formats)),
  );
  const { before, ...one } = chosen(reports, flags);
  if (har !== undefined) writeHar(har, one, terminal);
  const judged = withKnown(one.report, waivers, baseline);
  const earlier = base && diff !== undefined ? { file: diff, report: base } : undefined;
  const texts = writers.map(
    ([file, write]) =>
      [file, write({ ...one, report: judged, before, earlier }, terminal)] as const,
  );
  // A merged history must be written: only it has the exchanges under the ids that the merged findings name.
  const isMerged =
    flags.merge && out !== undefined && texts.some(([file]) => file === 'report.json');
  const history = isMerged && one.history;
  handOver(
    history
      ? [...texts, ['history.jsonl', writeHistory(history.records, terminal.secrets)]]
      : texts,
    out,
    terminal,
  );
  const say = out === undefined ? terminal.err : terminal.out;
  if (requireCoverage) say(requiredText(judged, requireCoverage));
  return exitCodeOfReport(judged, 'lenient', requireCoverage);
}

/** Several targets side by side. Differences are no failure: it ends with 0. */
function matrix(words: readonly string[], flags: Flags, terminal: Terminal): ExitCode {
  const others = (
    ['har', 'merge', 'diff', 'waivers', 'baseline', 'requireCoverage'] as const
  ).filter((name) => flags[name] !== undefined);
  if (others.length > 0) {
    throw usageFailure(`--matrix goes with none of ${others.join(', ')}`, 'give reports alone');
  }
  if (words.length < 2) throw usageFailure('a matrix takes two reports at least', 'name more');
  const [reports, forms] = readAll(
    () => readAll(...words.map((file) => () => ({ file, report: reportFrom(file, terminal) }))),
    () => writersOf(flags.format ?? 'markdown', matrixForms),
  );
  const found = matrixOf(reports);
  const texts = forms.map(([file, write]) => [file, write(found)] as const);
  handOver(texts, flags.out, terminal);
  return 0;
}

/** True if the files are campaign summaries. Throws if some are and some are not: they cannot be merged. */
function areCampaigns(names: readonly string[], { cwd }: Terminal): boolean {
  const found = names.filter((name) => {
    const read = readText(within(cwd, name), 'record.bytes');
    return read.ok && isCampaign(read.text);
  });
  if (found.length === 0 || found.length === names.length) return found.length > 0;
  const what = `${found.join(', ')} ${found.length === 1 ? 'is' : 'are'} of assay simulate, the others are not`;
  throw usageFailure(what, 'give files of one kind');
}

function campaigns(names: readonly string[], flags: Flags, terminal: Terminal): ExitCode {
  const [summaries, writers] = readAll(
    () => readAll(...names.map((name) => () => summaryFrom(name, terminal))),
    () =>
      writersOf(flags.format ?? 'text', campaignForms, (name, all) =>
        usageFailure(
          `what worlds came to has no format ${JSON.stringify(name)}`,
          `one of ${all.join(', ')}`,
        ),
      ),
    () => {
      const others = (['diff', 'waivers', 'baseline'] as const).filter(
        (name) => flags[name] !== undefined,
      );
      if (others.length === 0) return;
      const words = others.map((name) => `--${name}`).join(', ');
      throw usageFailure(`${words}: not for a simulation.json`, 'leave it out');
    },
  );
  const [first, ...others] = summaries;
  if (!first) throw usageFailure('no file to report of', 'name a simulation.json');
  const merged = mergeSummaries([first, ...others]);
  if (!merged.ok) {
    const next = 'merge disjoint seeds that one suite played with the same options';
    throw usageFailure(`these cannot be merged: ${merged.problem}`, next);
  }
  const texts = writers.map(([file, write]) => [file, write(merged.summary)] as const);
  handOver(texts, flags.out, terminal);
  return exitCodeOfCampaign(merged.summary, 'none missing');
}

function summaryFrom(name: string, { cwd }: Terminal): NamedSummary {
  const next = 'give a simulation.json of assay simulate';
  const result = readCampaign(textOf(name, cwd, { next, limit: 'record.bytes' }));
  if (result.ok) return { name, summary: result.value };
  throw usageFailure(`${name}: ${result.problem}`, next);
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

/**
 * Merges several reports, or, for an HTML page without `--merge`, shows the last one with the others as earlier runs.
 */
function chosen(
  given: readonly Loaded[],
  { merge, format }: Flags,
): Loaded & Pick<Shown, 'before'> {
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
