import { ruleContext, type TargetFacts, applyRules } from '../suite/engine/apply-rules.ts';
import type { SourceReport } from '../results/source-report.ts';
import type { Role } from '../spec/vocabulary.ts';
import type { Tamper } from '../reference/http/index.ts';
import type { HistoryRecord } from '../history/records.ts';
import { allRules, type Rule } from '../oracle/index.ts';
import { viewOf } from '../oracle/trace/history-view.ts';
import type { Played } from '../scenario/run/play.ts';
import type { Assignment } from '../spec/gaps/index.ts';
import { requirements } from '../spec/requirements/index.ts';
import type { RunEnd } from '../suite/engine/run-end.ts';

/** A played scenario, with the results of all rules on its history. */
export interface PlayedScenario {
  readonly played: Played;
  readonly rules: readonly SourceReport[];
  readonly records: readonly HistoryRecord[];
}

export interface PlayInputs {
  readonly seed: bigint;
  /** Absent: the rules of the suite. */
  readonly rules?: readonly Rule[] | undefined;
  /** For the embedded reference only: an opened target has its own. */
  readonly runId?: string | undefined;
  readonly maxWaitMs?: number | undefined;
  /**
   * Answers of the reference to gaps. Absent: those that the scenario is written for, and default answers otherwise.
   */
  readonly answers?: Assignment | undefined;
  /** True if the history is needed afterwards. The history of a day is large. */
  readonly keepsRecords: boolean;
  /** Creates the defects of the reference, anew for each world. */
  readonly tamper?: (() => Tamper) | undefined;
  readonly onPlayed: (judged: PlayedScenario) => void;
  /** Ends the run before all is played. Absent: it comes to its end. */
  readonly runEnd?: RunEnd | undefined;
}

/** Applies rules to the history of played scenarios: the rules of the suite, unless others are given. */
export function applyAllRules(
  target: TargetFacts,
  records: readonly HistoryRecord[],
  disturbed: readonly string[],
  rules: readonly Rule[] = allRules,
): readonly SourceReport[] {
  const context = ruleContext(target, new Set(disturbed));
  return applyRules(rules, () => viewOf({ records }, context), requirements);
}

/** Parties in the form of report.json. */
export const participantsOf = (
  parties: Readonly<Record<string, { readonly role: Role; readonly baseUrl: string }>>,
): Readonly<Record<string, { readonly role: Role; readonly base_url: string }>> =>
  Object.fromEntries(
    Object.entries(parties).map(([name, { role, baseUrl }]) => [name, { role, base_url: baseUrl }]),
  );
