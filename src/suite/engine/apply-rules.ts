import type { Target } from '../../client/contract.ts';
import type { OracleContext, HistoryView } from '../../oracle/trace/history-view.ts';
import type { GapId } from '../../spec/gaps/index.ts';
import { castNames, type Requirement } from '../../spec/requirements/index.ts';
import { contrastOf, type Exercise } from '../../oracle/contrast.ts';
import { judgeWhoeverActed } from '../../oracle/judge-whoever-acted.ts';
import type { Rule } from '../../oracle/rule.ts';
import type { ExerciseListener, Finding } from '../../results/findings.ts';
import {
  type Catalogue,
  type RequirementVerdict,
  type SourceReport,
  sourceReport,
  summarize,
} from '../../results/source-report.ts';
import {
  verdictOfRuleFindings,
  worstVerdict,
  combineVerdicts,
  isDecisive,
} from '../../results/verdicts.ts';
import { outOfScope, type Scope } from './plan.ts';
import type { RequirementReport } from '../../results/run-report.ts';

/** Facts about a target that the rules need beside the records. */
export type TargetFacts = Pick<Target, 'alone' | 'clock' | 'party' | 'parties' | 'restarts'> & {
  readonly answers: { get(gap: GapId): string | undefined };
};

/** @param disturbed the ids of orders that a control pushed off their path. */
export const ruleContext = (target: TargetFacts, disturbed: ReadonlySet<string>): OracleContext => {
  const ids = new Set([...disturbed].map((id) => id.toLowerCase()));
  return {
    // As it is known by now: it may be known less well once nobody asks any more.
    offset: { ...target.clock.offset },
    answers: (gap) => target.answers.get(gap),
    // Of the embedded reference there is one for each run.
    alone: target.alone === true || target.clock.kind === 'virtual',
    cast: Object.fromEntries(
      castNames.flatMap((name) => {
        const declared = target.parties[name];
        if (!declared) return [];
        const { role, baseUrl } = declared;
        return [[name, { role, baseUrl, partyId: target.party(name, 'judge').partyId }]];
      }),
    ),
    ...(target.restarts && { restarts: target.restarts }),
    disturbed: (intentId) => ids.has(intentId.toLowerCase()),
  };
};

/** Applies every rule to one view of the history. If no view can be made, no rule can judge. */
export function applyRules(
  rules: readonly Rule[],
  makeView: () => HistoryView,
  catalogue: Catalogue,
): SourceReport[] {
  let view: HistoryView | undefined;
  let thrown: unknown;
  try {
    view = makeView();
  } catch (error) {
    thrown = error;
  }
  return rules.map((rule) => applyRule(rule, view, thrown, catalogue));
}

/**
 * Applies one rule to a whole history. A rule that throws, or judges a requirement that is not its own, is our own
 * fault: its findings of its own requirements stand, and nothing else is affected.
 */
function applyRule(
  rule: Rule,
  view: HistoryView | undefined,
  noView: unknown,
  catalogue: Catalogue,
): SourceReport {
  const { requirements } = rule;
  const own = new Set<string>(requirements);
  const findings: Finding[] = [];
  let broke: string | undefined;
  try {
    if (!view) throw noView;
    for (const finding of judgeWhoeverActed(rule, view)) {
      if (own.has(finding.requirement)) findings.push(finding);
      else
        broke ??= `the rule itself broke: it judges ${finding.requirement}, which it does not announce`;
    }
  } catch (thrown) {
    const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    broke ??= `the rule itself broke: ${text}`;
  }
  const summary = summarize(
    requirements,
    findings,
    catalogue,
    verdictOfRuleFindings,
    broke === undefined
      ? { verdict: 'not_exercised', reason: 'nothing that happened in this run shows it' }
      : { verdict: 'error', reason: broke },
  );
  const seen = summary.judged.filter(({ exercised }) => exercised > 0).map((each) => each.verdict);
  const verdict = broke === undefined ? (worstVerdict(seen) ?? 'not_exercised') : 'error';
  const reason = broke ?? summary.judged.find((each) => each.verdict === verdict)?.reason;
  const judged = view ? withContrasts(summary.judged, rule, view) : summary.judged;
  return sourceReport(rule, { ...summary, judged }, verdict, reason);
}

/** Runs a rule that found failures once more, to see how these differ from passed exercises. */
function withContrasts(judged: readonly RequirementVerdict[], rule: Rule, view: HistoryView) {
  const exercises = new Map<string, Exercise[]>(
    judged.flatMap(({ requirement, failed = 0, exercised }) =>
      0 < failed && failed < exercised ? [[requirement, []]] : [],
    ),
  );
  if (exercises.size === 0) return judged;
  try {
    const heard: ExerciseListener = (requirement, outcome, evidence, times) => {
      if (outcome !== 'pass' && outcome !== 'fail') return;
      exercises.get(requirement)?.push({ held: outcome === 'pass', evidence, times });
    };
    for (const _ of rule.judge(view, heard)) continue;
  } catch {
    // The first run of the rule reports the error already.
  }
  return judged.map((one) => {
    const contrast = contrastOf(exercises.get(one.requirement) ?? [], view);
    return contrast ? { ...one, contrast } : one;
  });
}

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
