import { ruleContext, type TargetFacts } from '../suite/engine/rule-context.ts';
import type { SourceReport } from '../results/source-report.ts';
import { applyRules } from '../suite/engine/apply-rules.ts';
import type { Tamper } from '../reference/http/index.ts';
import type { HistoryRecord } from '../history/records.ts';
import { allRules, type Rule } from '../oracle/index.ts';
import { viewOf } from '../oracle/trace/history-view.ts';
import type { Played } from '../scenario/run/play.ts';
import type { Assignment } from '../spec/gaps/index.ts';
import { requirements } from '../spec/requirements/index.ts';
import type { RunEnd } from '../suite/engine/run-end.ts';

/** One scenario played, and what all rules say of its history. */
export interface PlayedScenario {
  readonly played: Played;
  readonly rules: readonly SourceReport[];
  readonly records: readonly HistoryRecord[];
}

export interface PlayInputs {
  readonly seed: bigint;
  /** Those of the suite by default. */
  readonly rules?: readonly Rule[] | undefined;
  /** On the embedded reference; a target that was opened has its own. */
  readonly runId?: string | undefined;
  readonly maxWaitMs?: number | undefined;
  /** What the reference answers to gaps; by default what the scenario is written for, and as usual otherwise. */
  readonly answers?: Assignment | undefined;
  /** Whether the history is needed afterwards; that of a day is large. */
  readonly keepsRecords: boolean;
  /** What breaks the reference, made anew for each world. */
  readonly tamper?: (() => Tamper) | undefined;
  readonly onPlayed: (judged: PlayedScenario) => void;
  /** Ends the run before all is played. Absent: it comes to its end. */
  readonly runEnd?: RunEnd | undefined;
}

/** What rules say of what scenarios did to a target: those of the suite, unless others are given. */
export function applyAllRules(
  target: TargetFacts,
  records: readonly HistoryRecord[],
  disturbed: readonly string[],
  rules: readonly Rule[] = allRules,
): readonly SourceReport[] {
  const context = ruleContext(target, new Set(disturbed));
  return applyRules(rules, () => viewOf({ records }, context), requirements);
}
