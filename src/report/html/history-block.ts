import { isObject } from '../../history/json.ts';
import type { RunReport } from '../../results/run-report.ts';
import { evidenceIds } from '../evidence-ids.ts';

/** What the page holds of a history: its lines, and how much of it was left away. */
export interface HistoryBlock {
  /** A record to a line, as in `history.jsonl`. */
  readonly lines: string;
  readonly records: number;
  /** Records that were left out whole. */
  readonly leftOut: number;
  /** Answers whose body was left out, as long lists are; `cut` in the record tells its length. */
  readonly cut: number;
}

export interface HistoryLimits {
  /** Characters of a line above which its answer's body is left out. */
  readonly line: number;
  /** Characters of all lines together, above which records are left out. */
  readonly all: number;
}

/** A run of 20,000 exchanges fits; a page of more would be slow to open. */
const usual: HistoryLimits = { line: 6_000, all: 48_000_000 };

/** Lists of a hundred orders are most of a long history, and nobody reads them in a page unless a failure rests on one. */
export function historyBlock(
  pieces: Iterable<Uint8Array>,
  report: RunReport,
  limits: HistoryLimits = usual,
): HistoryBlock {
  const evidence = evidenceIds(report);
  const kept: string[] = [];
  let [length, leftOut, cut] = [0, 0, 0];
  const decoder = new TextDecoder();
  for (const piece of pieces) {
    for (const line of decoder.decode(piece).split('\n')) {
      if (line === '') continue;
      const isEvidence = evidence.has(idOf(line));
      if (!isEvidence && length > limits.all) {
        leftOut += 1;
        continue;
      }
      const short = isEvidence || line.length <= limits.line ? line : withoutBody(line);
      if (short !== line) cut += 1;
      kept.push(short);
      length += short.length;
    }
  }
  return { lines: kept.join('\n'), records: kept.length, leftOut, cut };
}

/** Records begin with their kind and id, so the line need not be parsed. */
const idPattern = /^\{"kind":"\w+","id":("(?:[^"\\]|\\.)*")/;

function idOf(line: string): string {
  const [, id] = idPattern.exec(line) ?? [];
  return id === undefined ? '' : (JSON.parse(id) as string);
}

function withoutBody(line: string): string {
  const record: unknown = JSON.parse(line);
  if (!isObject(record) || !isObject(record['response'])) return line;
  const { body, text, ...response } = record['response'];
  const length = JSON.stringify(body ?? text ?? '').length;
  const items = isObject(body) && Array.isArray(body['data']) ? body['data'].length : undefined;
  return JSON.stringify({
    ...record,
    response: { ...response, cut: { length, ...(items !== undefined && { items }) } },
  });
}
