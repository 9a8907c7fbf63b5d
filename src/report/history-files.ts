import { bytesOfLines, type LinePiece, lineWriter } from '../history/jsonl.ts';
import type { HistoryRecord } from '../history/records.ts';
import type { Secrets } from '../history/secrets/secrets.ts';
import type { RunReport } from '../results/run-report.ts';
import { packPiece, packPieceAside } from './html/data-block.ts';
import { type HistoryBlock, historyBlock } from './html/history-block.ts';

/** A history in the form of the files of a run. */
export interface HistoryFiles {
  /** `history.jsonl`, in chunks of whole lines. */
  readonly jsonl: readonly LinePiece[];
  /** Part of it for the page `report.html`. */
  readonly page: HistoryBlock;
}

/** Files of a history that is too long for memory. */
export interface HistoryStream {
  /** Can be iterated once. The memory of a piece is reused for the next one. */
  readonly jsonl: Iterable<LinePiece>;
  /** To be called after `jsonl` was read to its end. */
  readonly page: () => HistoryBlock | Promise<HistoryBlock>;
}

type Written = readonly [records: readonly HistoryRecord[], report: RunReport, secrets: Secrets];

export function historyFiles(...written: Written): HistoryFiles {
  const { jsonl, page } = gather(written, packPiece);
  return { jsonl: Array.from(jsonl, (piece) => piece.slice()), page: page() };
}

/** Compresses the lines of the page in another thread, while this one writes. */
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

/** Serializes each record once for both files: for a long history this takes a large part of a run's time. */
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
