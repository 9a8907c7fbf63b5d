import { isObject } from '../../history/json.ts';
import type { Exchange, HistoryRecord } from '../../history/records.ts';
import type { RunReport } from '../../results/run-report.ts';
import { linePieces } from '../../history/jsonl.ts';
import { evidenceIds } from '../evidence.ts';
import type { PackedPiece } from './data-block.ts';

/** Part of a history for the page: its lines, and counts of what was left out. */
export interface HistoryBlock {
  /** One record per line, as in `history.jsonl`. */
  readonly lines: readonly PackedPiece[];
  readonly records: number;
  /** Number of records that were left out completely. */
  readonly leftOut: number;
  /** Number of answers without their body, such as long lists. `cut` in the record has its length. */
  readonly cut: number;
}

export interface HistoryLimits {
  /** Characters of a line above which its answer's body is left out. */
  readonly line: number;
  /** Characters of all lines together, above which records are left out. */
  readonly all: number;
}

/** A run of 20,000 exchanges fits. A larger page would be slow to open. */
const usual: HistoryLimits = { line: 6_000, all: 48_000_000 };

/**
 * Collects the part of a history for the page, record by record. Lists of a hundred orders are most of a long history,
 * and nobody reads them in a page unless they are evidence of a failure.
 * @param write the line of a record, without secrets
 * @param pack begins to compress some lines
 */
export function historyBlock<Piece>(
  report: RunReport,
  write: (record: HistoryRecord) => string,
  pack: (lines: Uint8Array) => Piece,
  limits: HistoryLimits = usual,
): {
  readonly add: (record: HistoryRecord, line: string) => void;
  readonly block: () => Omit<HistoryBlock, 'lines'> & { readonly lines: readonly Piece[] };
} {
  const evidence = evidenceIds(report);
  const pieces = linePieces();
  const lines: Piece[] = [];
  let [records, length, leftOut, cut] = [0, 0, 0, 0];
  return {
    add(record, line) {
      const isEvidence = record.kind !== 'end' && evidence.has(record.id);
      if (!isEvidence && length > limits.all) {
        leftOut += 1;
        return;
      }
      const short = isEvidence || line.length <= limits.line ? line : withoutBody(record, line);
      if (short !== line) cut += 1;
      records += 1;
      length += short.length;
      lines.push(...pieces.add(short).map(pack));
    },
    block() {
      lines.push(...pieces.rest().map(pack));
      return { lines, records, leftOut, cut };
    },
  };

  function withoutBody(record: HistoryRecord, line: string): string {
    if (record.kind !== 'exchange' || record.response === undefined) return line;
    const { body, text, ...response } = record.response;
    if (body === undefined && text === undefined) return line;
    const without = write({ ...record, response });
    // The difference in length, minus the name of the member and a comma.
    const bodyLength = line.length - without.length - '"body":,'.length;
    const items = isObject(body) && Array.isArray(body['data']) ? body['data'].length : undefined;
    const left = { length: bodyLength, ...(items !== undefined && { items }) };
    return write({ ...record, response: { ...response, cut: left } as Exchange['response'] });
  }
}

/** Joins blocks of a history that was written in parts, in their order. */
export const joinBlocks = (blocks: readonly HistoryBlock[]): HistoryBlock =>
  blocks.reduce((one, other) => ({
    lines: [...one.lines, ...other.lines],
    records: one.records + other.records,
    leftOut: one.leftOut + other.leftOut,
    cut: one.cut + other.cut,
  }));
