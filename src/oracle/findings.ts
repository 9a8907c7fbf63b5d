import type { RequirementId } from '../spec/requirements/index.ts';
import { createFindings, type Findings as Collected, type Violation } from '../results/findings.ts';
import type { Rule } from './rule.ts';
import { circumstancesIn } from './trace/circumstances.ts';
import type { HistoryView } from './trace/history-view.ts';

export type { Violation } from '../results/findings.ts';

type Assert<Id extends string> = (
  /** One exercise may show several; those that it does not show this time are false. */
  requirements: Id | readonly (Id | false | undefined)[],
  holds: boolean,
  shownBy: string,
  /** Without evidence of its own, it is shown by `shownBy`. */
  violation: () => Omit<Violation, 'evidence'> & Partial<Pick<Violation, 'evidence'>>,
) => boolean;

/** Collects the findings of one rule. */
export type Findings<Id extends string> = Omit<Collected<Id>, 'assert'> & {
  readonly assert: Assert<Id>;
};

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
      const assert: Assert<string> = (requirements, holds, shownBy, violation) => {
        for (const one of typeof requirements === 'string' ? [requirements] : requirements) {
          if (one)
            findings.assert(one, holds, shownBy, () => ({ evidence: [shownBy], ...violation() }));
        }
        return holds;
      };
      try {
        rule.judge(view, { ...findings, assert });
      } finally {
        // Findings that the rule made before it threw still count.
        yield* findings.collected();
      }
    },
  };
}
