import { readFile } from 'node:fs/promises';
import { readHistory } from '../history/jsonl.ts';
import type { History } from '../history/records.ts';
import type { RequirementReport } from '../results/run-report.ts';
import { allRules, type Rule } from '../oracle/index.ts';
import { judgeHistory, type JudgedHistory, type KnownOfTarget } from '../run/judge-history.ts';
import { reasonOf } from '../run/read-text.ts';
import { UsageError } from './usage-error.ts';

export type { SourceReport } from '../results/source-report.ts';
export type { Verdict } from '../results/verdicts.ts';
export type { Exchange, Frame, History, HistoryRecord, StreamEnd } from '../history/records.ts';
export type { RunReport } from '../results/run-report.ts';
export type { Finding } from '../results/findings.ts';
export type { Rule } from '../oracle/rule.ts';
export { defineRule } from '../oracle/findings.ts';
export type { JudgedHistory, KnownOfTarget } from '../run/judge-history.ts';
export { UsageError, type UsageErrorCode } from './usage-error.ts';
export type { RequirementReport };

/**
 * Reads a `history.jsonl`, as `assay check` and `assay play` write it.
 * @throws UsageError `history`: it cannot be read, or a line of it is no record
 */
export async function read(file: string | URL): Promise<History> {
  let text: string;
  try {
    text = await readFile(file, 'utf8');
  } catch (error) {
    throw new UsageError('history', [`${String(file)}: ${reasonOf(error)}`]);
  }
  return parse(text, String(file));
}

/**
 * Reads the text of a `history.jsonl`.
 * @param name file name for error messages
 * @throws UsageError `history`: a line of it is no record
 */
export function parse(text: string, name = 'history'): History {
  const reading = readHistory(text);
  if (reading.ok) return { records: reading.records };
  throw new UsageError('history', [`${name}:${reading.line}: ${reading.message}`]);
}

export interface JudgeOptions extends KnownOfTarget {
  /** Replaces all rules of the suite. */
  readonly rules?: readonly Rule[];
}

/**
 * Applies rules to a history from any driver. The history does not record the target's answers to gaps, the offset of
 * its clock, or its parties: they are inferred from the traffic as far as it shows them. A report of the same run knows
 * them better.
 */
export function judge(history: History, options: JudgeOptions = {}): JudgedHistory {
  const { rules = allRules, ...known } = options;
  return judgeHistory(history, rules, known);
}
