import { bytesOfLines, lineWriter } from '../history/jsonl.ts';
import type { HistoryRecord } from '../history/records.ts';
import type { RunReport } from '../results/run-report.ts';
import { type HistoryBlock, historyBlock } from './html/history-block.ts';

/** A history as the files of a run hold it. */
export interface HistoryFiles {
  /** `history.jsonl`, in pieces of whole lines. */
  readonly jsonl: readonly Uint8Array<ArrayBuffer>[];
  /** What the page of `report.html` shows of it. */
  readonly page: HistoryBlock;
}

/**
 * Writes each record once for both: a long history takes a good part of a run's time to write.
 * @param secrets exact strings to hide, such as tokens that are no JWTs
 */
export function historyFiles(
  records: readonly HistoryRecord[],
  report: RunReport,
  secrets: readonly string[] = [],
): HistoryFiles {
  const write = lineWriter(secrets);
  const page = historyBlock(report, write);
  function* lines(): Generator<string> {
    for (const record of records) {
      const line = write(record);
      page.add(record, line);
      yield line;
    }
  }
  return { jsonl: [...bytesOfLines(lines())], page: page.block() };
}
