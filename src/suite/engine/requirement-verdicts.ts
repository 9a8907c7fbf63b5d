import { outOfScope, type Scope } from './plan.ts';
import type { RequirementReport } from '../../results/run-report.ts';
import type { RequirementVerdict, SourceReport } from '../../results/source-report.ts';
import { combineVerdicts, isDecisive } from '../../results/verdicts.ts';
import type { Requirement } from '../../spec/requirements/index.ts';

type Said = RequirementVerdict & { readonly source: string };

/** Verdicts of each check or rule, by requirement. */
function saidOf(sources: readonly SourceReport[]): Map<string, Said[]> {
  const byRequirement = new Map<string, Said[]>();
  for (const source of sources) {
    for (const one of source.judged) {
      const list = byRequirement.get(one.requirement) ?? [];
      list.push({ ...one, source: source.id });
      byRequirement.set(one.requirement, list);
    }
  }
  return byRequirement;
}

/** All checks and rules with their requirements, selected or not. */
export interface Suite {
  readonly checks: readonly { readonly requirements: readonly string[] }[];
  readonly rules: readonly { readonly requirements: readonly string[] }[];
}

const announced = (sources: Suite['checks']): ReadonlySet<string> =>
  new Set(sources.flatMap(({ requirements }) => requirements));

/**
 * The verdict of every requirement of the catalogue. A requirement that nobody judged is out of scope if no black-box
 * test can judge it, if the target does not meet its needs, or if every check that drives it is out of scope: rules
 * see only what checks drive, so their silence shows nothing then.
 */
export function requirementVerdicts(
  catalogue: Readonly<Record<string, Requirement>>,
  scope: Scope,
  suite: Suite,
  checks: readonly SourceReport[],
  rules: readonly SourceReport[],
): RequirementReport[] {
  const fromChecks = saidOf(checks);
  const fromRules = saidOf(rules);
  const driving = announced(suite.checks);
  const watching = announced(suite.rules);
  return Object.entries(catalogue).map(([id, requirement]) => {
    const { part, level, summary } = requirement;
    const driven = fromChecks.get(id) ?? [];
    const watched = fromRules.get(id) ?? [];
    const from = (said: readonly Said[]): RequirementReport => {
      const { verdict, reason, ...counts } = combineVerdicts(said);
      const judgedBy = said.filter((one) => isDecisive(one.verdict)).map(({ source }) => source);
      const why = reason === undefined ? {} : { reason };
      return { id, part, level, summary, verdict, ...why, judged_by: judgedBy, ...counts };
    };
    const nobody = (verdict: 'not_exercised' | 'out_of_scope', reason: string) =>
      ({ id, part, level, summary, verdict, reason, judged_by: [], exercised: 0 }) as const;
    const all = [...driven, ...watched];
    if (all.some(({ verdict }) => isDecisive(verdict))) return from(all);
    const lacking = requirement.unobservable
      ? [requirement.unobservable]
      : outOfScope(requirement.needs ?? {}, scope);
    if (lacking.length > 0) return nobody('out_of_scope', lacking.join('; '));
    if (driven.length > 0) return from(driven);
    if (driving.has(id)) return nobody('not_exercised', 'its checks were not selected');
    if (!watching.has(id)) {
      return nobody('not_exercised', 'no check and no rule of this suite judges it');
    }
    return from(watched);
  });
}
