import { createSecrets } from '../../../src/history/secrets/secrets.ts';
import type { History } from '../../../src/history/records.ts';
import { readDataBlock } from '../../../src/report/html/data-block.ts';
import { historyFiles } from '../../../src/report/history-files.ts';
import { toHtml } from '../../../src/report/html/page.ts';
import type { RunReport } from '../../../src/results/run-report.ts';

/** As little as a page needs; the built one is for the browser. */
const shell =
  '<!doctype html><html lang="en"><head><title>Assay report</title></head><body><!--data--></body></html>\n';

/** A report's page, in a shell that needs no build. */
export const pageOf = (report: RunReport, history?: History): string =>
  toHtml(report, {
    shell,
    history: history && historyFiles(history.records, report, createSecrets()).page,
  });

/** Data blocks of a page, as text for its script. */
export const heldBy = (html: string): string =>
  ['report', 'history'].map((id) => readDataBlock(html, id) ?? '').join('\n');
