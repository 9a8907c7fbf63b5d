import type { MaskedHistory } from '../history/secrets/secrets.ts';
import {
  exitCodeOfReport,
  type HistoryFiles,
  type HistoryStream,
  requiredText,
  type RunReport,
  toHtml,
  toJson,
  toJunit,
  toMarkdown,
  toText,
} from '../report/index.ts';
import { outFailure, within, writeInTurn } from './files.ts';
import type { Flags } from './flags.ts';
import { colourOf, type ExitCode, type Terminal } from './terminal.ts';
import { uiPage } from './ui-page.ts';

/** The files of a report that need no history. */
export const reportTexts = (report: RunReport) =>
  [
    ['report.json', toJson(report)],
    ['junit.xml', toJunit(report)],
    ['summary.md', toMarkdown(report)],
  ] as const;

export const reportPage = (
  report: RunReport,
  history: HistoryFiles['page'],
  shell = uiPage('report'),
): string => toHtml(report, { shell, history });

/**
 * Writes the report of a run and its history into a folder: all files or none. The history may still be gathered while
 * the report becomes text.
 * @returns the line that tells a person the folder and the files
 * @throws CommandFailure if the folder cannot be written
 */
export async function writeReport(
  report: RunReport,
  history: HistoryStream | Promise<HistoryStream>,
  out: string,
  { secrets, cwd }: Pick<Terminal, 'secrets' | 'cwd'>,
): Promise<string> {
  const texts = reportTexts(report);
  // Missing only in a checkout that was not built, which is no fault of the folder.
  const shell = uiPage('report');
  const { jsonl, page } = await history;
  const files = [
    ...texts,
    ['history.jsonl', jsonl],
    // Known only after all of the history was written.
    ['report.html', async () => reportPage(report, await page(), shell)],
  ] as const;
  try {
    await writeInTurn(secrets, within(cwd, out), files);
  } catch (error) {
    throw outFailure(out, error);
  }
  return `reports: ${out}/report.html, report.json, history.jsonl, junit.xml, summary.md`;
}

/** A judged run, as it is printed and written. */
export interface JudgedRun {
  readonly report: RunReport;
  /** The written form; call it once. The history of another thread comes later than the report. */
  readonly history: () => HistoryStream | Promise<HistoryStream>;
  /** Part of the history that the report shows with its findings. */
  readonly shown: MaskedHistory;
}

/** Prints the report of a run, and writes it if there is a folder for it. `print`: where `--json` goes. */
export async function conclude(
  { report, history, shown }: JudgedRun,
  { json, out, strict, requireCoverage }: Flags,
  terminal: Terminal,
  print: Terminal['out'],
): Promise<ExitCode> {
  if (json) print(toJson(report).trimEnd());
  terminal.out(toText(report, shown, { colour: colourOf(terminal) }).trimEnd());
  if (out !== undefined) terminal.out(`\n${await writeReport(report, history(), out, terminal)}`);
  if (requireCoverage) terminal.out(requiredText(report, requireCoverage));
  return exitCodeOfReport(report, strict ? 'strict' : 'lenient', requireCoverage);
}
