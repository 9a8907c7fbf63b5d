import {
  historyFiles,
  type RunReport,
  toHtml,
  toJson,
  toJunit,
  toMarkdown,
} from '../../report/index.ts';
import { within, writeAll } from '../files.ts';
import { uiPage } from '../ui-page.ts';
import type { PlayedRun } from './played-run.ts';

/** Writes the report with each scenario's timeline in it, so that it can be drawn; answers where. */
export function writePlayReport(run: PlayedRun, report: RunReport, out: string): string {
  const { context, records } = run;
  const { secrets } = context.terminal;
  const { jsonl, page } = historyFiles(records, report, secrets);
  writeAll(secrets, within(context.terminal.cwd, out), [
    ['report.json', toJson(report)],
    ['history.jsonl', jsonl],
    ['junit.xml', toJunit(report)],
    ['summary.md', toMarkdown(report)],
    ['report.html', toHtml(report, { shell: uiPage('report'), history: page })],
  ]);
  return `${out}/report.html, report.json, history.jsonl, junit.xml, summary.md`;
}
