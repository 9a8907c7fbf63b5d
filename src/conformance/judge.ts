import type { Catalogue } from './findings.ts';
import { outOfScope, type Scope } from './plan.ts';
import type { JudgeResult, RequirementResult } from './result.ts';
import { combine, isDecisive, type Judgement } from './verdicts.ts';

/** What each judge said of each requirement. */
function judgementsOf(judges: readonly JudgeResult[]): Map<string, Judgement[]> {
  const byRequirement = new Map<string, Judgement[]>();
  for (const judge of judges) {
    for (const { requirement, ...said } of judge.judged) {
      const list = byRequirement.get(requirement) ?? [];
      list.push({ judge: judge.id, ...said });
      byRequirement.set(requirement, list);
    }
  }
  return byRequirement;
}

/**
 * The verdict of every requirement of the catalogue. A requirement that nobody judged is out of scope where no black
 * box can judge it, where the target lacks what it takes, or where every check that drives it is out of scope:
 * rules only see what checks drive, so their silence says nothing then.
 */
export function judgeRequirements(
  catalogue: Catalogue,
  scope: Scope,
  checks: readonly JudgeResult[],
  rules: readonly JudgeResult[],
): RequirementResult[] {
  const fromChecks = judgementsOf(checks);
  const fromRules = judgementsOf(rules);
  return Object.entries(catalogue).map(([id, requirement]) => {
    const driven = fromChecks.get(id) ?? [];
    const watched = fromRules.get(id) ?? [];
    const all = [...driven, ...watched];
    if (all.some(({ verdict }) => isDecisive(verdict))) return { id, ...combine(all) };
    const lacking = requirement.unobservable
      ? [requirement.unobservable]
      : outOfScope(requirement.needs ?? {}, scope);
    if (lacking.length > 0) {
      const reason = lacking.join('; ');
      return { id, verdict: 'out_of_scope', reason, judgedBy: [], exercised: 0 };
    }
    return { id, ...combine(driven.length > 0 ? driven : watched) };
  });
}
