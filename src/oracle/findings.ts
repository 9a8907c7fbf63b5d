import type { RequirementId } from '../spec/requirements/index.ts';
import { createFindings, type Findings } from '../results/findings.ts';
import type { Rule } from './rule.ts';
import { circumstancesIn } from './trace/circumstances.ts';
import type { HistoryView } from './trace/history-view.ts';

export type { Findings, Violation } from '../results/findings.ts';

/**
 * The ids that a rule announces, one by one. Of a rule that announces just any id of the catalogue, the compiler could
 * not tell which ones it may judge.
 */
type Announced<Id extends RequirementId> = RequirementId extends Id ? never : Id;

/** Keeps a rule to the requirements that it announces, at compile time. */
export function defineRule<const Id extends RequirementId>(rule: {
  readonly id: string;
  readonly title: string;
  readonly requirements: readonly Id[];
  judge(view: HistoryView, findings: Findings<Announced<Id>>): void;
}): Rule {
  return {
    id: rule.id,
    title: rule.title,
    requirements: rule.requirements,
    *judge(view, exercised) {
      const findings = createFindings(circumstancesIn(view), exercised);
      try {
        rule.judge(view, findings);
      } finally {
        // Findings that the rule made before it threw still count.
        yield* findings.collected();
      }
    },
  };
}
