import type { Catalogue } from '../results/finding-log.ts';
import { outOfScope, type Scope } from './plan.ts';
import type { CheckOrRuleResult, RequirementResult } from '../results/result.ts';
import { combineVerdicts, isDecisive, type SourceVerdict } from '../results/verdicts.ts';

/** What each judge said of each requirement. */
function verdictsByRequirement(
  sources: readonly CheckOrRuleResult[],
): Map<string, SourceVerdict[]> {
  const byRequirement = new Map<string, SourceVerdict[]>();
  for (const source of sources) {
    for (const { requirement, ...said } of source.judged) {
      const list = byRequirement.get(requirement) ?? [];
      list.push({ source: source.id, ...said });
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

const announced = (sources: Suite['checks']): ReadonlySet<string> =>
  new Set(sources.flatMap(({ requirements }) => requirements));

/**
 * The verdict of every requirement of the catalogue. A requirement that nobody judged is out of scope where no black
 * box can judge it, where the target lacks what it takes, or where every check that drives it is out of scope:
 * rules only see what checks drive, so their silence says nothing then.
 */
export function requirementVerdicts(
  catalogue: Catalogue,
  scope: Scope,
  suite: Suite,
  checks: readonly CheckOrRuleResult[],
  rules: readonly CheckOrRuleResult[],
): RequirementResult[] {
  const fromChecks = verdictsByRequirement(checks);
  const fromRules = verdictsByRequirement(rules);
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
    if (all.some(({ verdict }) => isDecisive(verdict))) return { id, ...combineVerdicts(all) };
    const lacking = requirement.unobservable
      ? [requirement.unobservable]
      : outOfScope(requirement.needs ?? {}, scope);
    if (lacking.length > 0) {
      const reason = lacking.join('; ');
      return { id, verdict: 'out_of_scope', reason, judgedBy: [], exercised: 0 };
    }
    if (driven.length > 0) return { id, ...combineVerdicts(driven) };
    if (driving.has(id)) return notExercised(id, 'its checks were not selected');
    if (!watching.has(id)) return notExercised(id, 'no check and no rule of this suite judges it');
    return { id, ...combineVerdicts(watched) };
  });
}
