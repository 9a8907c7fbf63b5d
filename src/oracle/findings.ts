import type { RequirementId } from '../spec/requirements/index.ts';
import { createFindings, type Findings } from '../results/findings.ts';
import type { Rule } from './rule.ts';
import type { HistoryView } from './trace/history-view.ts';

export type { Findings, Violation } from '../results/findings.ts';

/** Keeps a rule to the requirements that it announces, at compile time. */
export function defineRule<const Id extends RequirementId>(rule: {
  readonly id: string;
  readonly title: string;
  readonly requirements: readonly Id[];
  judge(view: HistoryView, findings: Findings<Id>): void;
}): Rule {
  return {
    id: rule.id,
    title: rule.title,
    requirements: rule.requirements,
    judge(view) {
      const findings = createFindings();
      rule.judge(view, findings);
      return findings.collected();
    },
  };
}
