import type { RequirementId } from '../spec/requirements/index.ts';
import { createFindings, type Findings as Collected, type Violation } from '../results/findings.ts';
import type { Rule } from './rule.ts';
import { circumstancesIn } from './trace/circumstances.ts';
import type { HistoryView } from './trace/history-view.ts';

export type { Violation } from '../results/findings.ts';

/** One exercise may show several requirements; those that it does not show this time are false. */
type Shown<Id extends string> = Id | readonly (Id | false | undefined)[];

type Assert<Id extends string> = (
  requirements: Shown<Id>,
  holds: boolean,
  shownBy: string,
  /** Without evidence of its own, it is shown by `shownBy`. */
  violation: () => Omit<Violation, 'evidence'> & Partial<Pick<Violation, 'evidence'>>,
) => boolean;

export type Findings<Id extends string> = Omit<Collected<Id>, 'assert' | 'fail'> & {
  readonly assert: Assert<Id>;
  readonly fail: (requirements: Shown<Id>, violation: Violation) => void;
};

/** Called for each assertion of a run, most of which hold: so it makes no list. */
function forEach(requirements: Shown<string>, take: (requirement: string) => void): void {
  if (typeof requirements === 'string') take(requirements);
  else for (const one of requirements) if (typeof one === 'string') take(one);
}

/** The ids that a rule announces: of just any id the compiler could not tell which ones the rule may judge. */
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
        const shown = () => ({ evidence: [shownBy], ...violation() });
        forEach(requirements, (one) => findings.assert(one, holds, shownBy, shown));
        return holds;
      };
      const fail: Findings<string>['fail'] = (requirements, violation) => {
        forEach(requirements, (one) => findings.fail(one, violation));
      };
      try {
        rule.judge(view, { ...findings, assert, fail });
      } finally {
        // Findings that the rule made before it threw still count.
        yield* findings.collected();
      }
    },
  };
}
