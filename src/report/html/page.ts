import type { RunReport } from '../../results/run-report.ts';
import { escapeHtml, printableValue } from '../formats/escape.ts';
import { shortOutcome } from '../summary.ts';
import { dataBlock, packedBlock } from './data-block.ts';
import type { HistoryBlock } from './history-block.ts';
import type { NamedReport } from '../baseline.ts';
import { pageDataOf } from './page-data.ts';

/** Inputs of a page besides its report. */
export interface PageInputs {
  /** The built page of src/ui/report, without data. */
  readonly shell: string;
  /** Part of the run's history for the page. Absent: not known. */
  readonly history?: HistoryBlock | undefined;
  /** Other runs of the same target, in which the history of each requirement is shown. */
  readonly earlier?: readonly NamedReport[] | undefined;
  /** Name of this run beside those. */
  readonly file?: string | undefined;
}

const noHistory: HistoryBlock = { lines: [], records: 0, leftOut: 0, cut: 0 };

/** One self-contained page that loads nothing: the built page with the data of the run inside. */
export function toHtml(report: RunReport, inputs: PageInputs): string {
  const { shell, history, earlier, file } = inputs;
  const data = pageDataOf(report, earlier, file);
  const { lines, ...held } = history ?? noHistory;
  const title = `${report.target.name}: ${shortOutcome(report)} - Assay`;
  const blocks = [
    dataBlock('report', JSON.stringify(printableValue({ ...data, history: held }))),
    ...(held.records > 0 ? [packedBlock('history', lines)] : []),
  ];
  // Split and join instead of `replace`: `$&` in a replacement has a special meaning.
  const [head = '', afterTitle = ''] = shell.split('<title>Assay report</title>');
  const [before = '', after = ''] = afterTitle.split('<!--data-->');
  return [head, `<title>${escapeHtml(title)}</title>`, before, ...blocks, after].join('');
}
