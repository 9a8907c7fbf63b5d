import type { Target } from '../../client/contract.ts';
import type { OracleContext, HistoryView } from '../../oracle/trace/history-view.ts';
import type { GapId } from '../../spec/gaps/index.ts';
import { castNames } from '../../spec/requirements/index.ts';
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
import { verdictOfRuleFindings, worstVerdict } from '../../results/verdicts.ts';

/** Facts about a target that the rules need beside the records. */
export type TargetFacts = Pick<Target, 'alone' | 'clock' | 'party' | 'parties'> & {
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
