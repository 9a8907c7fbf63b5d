import {
  type HistoryFiles,
  type HistoryStream,
  type RunReport,
  toHtml,
  toJson,
  toJunit,
  toMarkdown,
} from '../report/index.ts';
import { outFailure, within, writeInTurn } from './files.ts';
import type { Terminal } from './terminal.ts';
import { uiPage } from './ui-page.ts';

/** The files of a report that need no history. */
export const reportTexts = (report: RunReport) =>
  [
    ['report.json', toJson(report)],
    ['junit.xml', toJunit(report)],
    ['summary.md', toMarkdown(report)],
  ] as const;

/** `report.html`. */
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
  history: HistoryFiles | HistoryStream | Promise<HistoryStream>,
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
    // If the history is a stream, its page is known only after all of it was written.
    [
      'report.html',
      async () => reportPage(report, typeof page === 'function' ? await page() : page, shell),
    ],
  ] as const;
  try {
    await writeInTurn(secrets, within(cwd, out), files);
  } catch (error) {
    throw outFailure(out, error);
  }
  return `reports: ${out}/report.html, report.json, history.jsonl, junit.xml, summary.md`;
}
