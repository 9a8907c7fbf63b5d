import { ruleContext, type TargetFacts } from '../suite/engine/rule-context.ts';
import type { SourceReport } from '../results/source-report.ts';
import { applyRules } from '../suite/engine/apply-rules.ts';
import { isDecisive, worstVerdict } from '../results/verdicts.ts';
import type { HistoryRecord } from '../history/records.ts';
import { allRules } from '../oracle/index.ts';
import { viewOf } from '../oracle/trace/history-view.ts';
import type { Played } from '../scenario/run/play.ts';
import { requirements } from '../spec/requirements/index.ts';

/** One scenario played, and what all rules say of its history. */
export interface PlayedScenario {
  readonly played: Played;
  readonly rules: readonly SourceReport[];
  readonly records: readonly HistoryRecord[];
}

export interface PlayInputs {
  readonly seed: bigint;
  readonly maxWaitMs?: number;
  /** Whether the history is wanted afterwards; a day of it is large. */
  readonly keepsRecords: boolean;
  readonly onPlayed: (judged: PlayedScenario) => void;
}

/** What all rules say of what scenarios did to a target. */
export function applyAllRules(
  target: TargetFacts,
  records: readonly HistoryRecord[],
  disturbed: readonly string[],
): readonly SourceReport[] {
  const context = ruleContext(target, new Set(disturbed));
  return applyRules(allRules, () => viewOf({ records }, context), requirements);
}

/** What each rule came to over several histories. */
export function mergeRules(runs: readonly (readonly SourceReport[])[]): readonly SourceReport[] {
  const [first = []] = runs;
  return first.map((rule, index) => {
    const all = runs.flatMap((run) => run[index] ?? []);
    const judged = rule.requirements.map((requirement) => {
      const said = all.flatMap((one) =>
        one.judged.filter((each) => each.requirement === requirement),
      );
      const decisive = said.filter(({ verdict }) => isDecisive(verdict));
      const verdict = worstVerdict(decisive.map((each) => each.verdict)) ?? 'not_exercised';
      const reason = said.find((each) => each.verdict === verdict)?.reason;
      const exercised = said.reduce((sum, each) => sum + each.exercised, 0);
      return { requirement, verdict, exercised, ...(reason !== undefined && { reason }) };
    });
    const verdict =
      worstVerdict(judged.filter(({ exercised }) => exercised > 0).map((each) => each.verdict)) ??
      'not_exercised';
    const reason = all.find((one) => one.verdict === verdict)?.reason;
    const omitted = all.reduce((sum, one) => sum + (one.omitted ?? 0), 0);
    const { reason: _, omitted: __, ...rest } = rule;
    return {
      ...rest,
      verdict: all.some((one) => one.verdict === 'error') ? 'error' : verdict,
      ...(reason !== undefined && verdict !== 'pass' && { reason }),
      judged,
      failures: all.flatMap((one) => one.failures).slice(0, 20),
      ...(omitted > 0 && { omitted }),
    };
  });
}
