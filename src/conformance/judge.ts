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

/** Who could judge what, selected or not. */
export interface Suite {
  readonly checks: readonly { readonly requirements: readonly string[] }[];
  readonly rules: readonly { readonly requirements: readonly string[] }[];
}

const announced = (judges: Suite['checks']): ReadonlySet<string> =>
  new Set(judges.flatMap(({ requirements }) => requirements));

/**
 * The verdict of every requirement of the catalogue. A requirement that nobody judged is out of scope where no black
 * box can judge it, where the target lacks what it takes, or where every check that drives it is out of scope:
 * rules only see what checks drive, so their silence says nothing then.
 */
export function judgeRequirements(
  catalogue: Catalogue,
  scope: Scope,
  suite: Suite,
  checks: readonly JudgeResult[],
  rules: readonly JudgeResult[],
): RequirementResult[] {
  const fromChecks = judgementsOf(checks);
  const fromRules = judgementsOf(rules);
  const driving = announced(suite.checks);
  const watching = announced(suite.rules);
  const notExercised = (id: string, reason: string): RequirementResult => ({
    id,
    verdict: 'not_exercised',
    reason,
    judgedBy: [],
    exercised: 0,
  });
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
    if (driven.length > 0) return { id, ...combine(driven) };
    if (driving.has(id)) return notExercised(id, 'its checks were not selected');
    if (!watching.has(id)) return notExercised(id, 'no check and no rule of this suite judges it');
    return { id, ...combine(watched) };
  });
}
