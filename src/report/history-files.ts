import { bytesOfLines, type LinePiece, lineWriter } from '../history/jsonl.ts';
import type { HistoryRecord } from '../history/records.ts';
import type { Secrets } from '../history/secrets/secrets.ts';
import type { RunReport } from '../results/run-report.ts';
import { packPiece, packPieceAside } from './html/data-block.ts';
import { type HistoryBlock, historyBlock } from './html/history-block.ts';

/** A history as the files of a run hold it. */
export interface HistoryFiles {
  /** `history.jsonl`, in pieces of whole lines. */
  readonly jsonl: readonly LinePiece[];
  /** What the page of `report.html` shows of it. */
  readonly page: HistoryBlock;
}

/** The same of a history that is too long to be held whole. */
export interface HistoryStream {
  /** To be taken once; what is taken is used again for the next. */
  readonly jsonl: Iterable<LinePiece>;
  /** To be asked for once `jsonl` was taken to its end. */
  readonly page: () => HistoryBlock | Promise<HistoryBlock>;
}

type Written = readonly [records: readonly HistoryRecord[], report: RunReport, secrets: Secrets];

export function historyFiles(...written: Written): HistoryFiles {
  const { jsonl, page } = gather(written, packPiece);
  return { jsonl: Array.from(jsonl, (piece) => piece.slice()), page: page() };
}

/** What the page shows is compressed by another thread, while this one writes. */
export function historyStream(...written: Written): HistoryStream {
  const { jsonl, page } = gather(written, packPieceAside);
  return {
    jsonl,
    async page() {
      const { lines, ...rest } = page();
      return { ...rest, lines: await Promise.all(lines) };
    },
  };
}

/** Writes each record once for both: a long history takes a good part of a run's time to write. */
function gather<Piece>([records, report, secrets]: Written, pack: (lines: Uint8Array) => Piece) {
  const write = lineWriter(secrets);
  const page = historyBlock(report, write, pack);
  function* lines(): Generator<string> {
    for (const record of records) {
      const line = write(record);
      page.add(record, line);
      yield line;
    }
  }
  return { jsonl: bytesOfLines(lines()), page: page.block };
}
