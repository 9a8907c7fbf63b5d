import type { HistoryView } from '../../oracle/trace/history-view.ts';
import type { Rule } from '../../oracle/rule.ts';
import { type Catalogue, createFindingLog } from '../results/finding-log.ts';
import type { CheckOrRuleResult } from '../results/result.ts';
import { verdictOfRuleFindings, type Verdict, worstVerdict } from '../results/verdicts.ts';

/** Applies every rule to one view of the history; where no view can be made, no rule can judge. */
export function applyRules(
  rules: readonly Rule[],
  makeView: () => HistoryView,
  catalogue: Catalogue,
): CheckOrRuleResult[] {
  let view: HistoryView | undefined;
  let thrown: unknown;
  try {
    view = makeView();
  } catch (error) {
    thrown = error;
  }
  return rules.map((rule) => applyRule(rule, view, thrown, catalogue));
}

/** Applies one rule to a whole history. A rule that throws is our own fault: what it had seen by then stands. */
function applyRule(
  rule: Rule,
  view: HistoryView | undefined,
  noView: unknown,
  catalogue: Catalogue,
): CheckOrRuleResult {
  const findings = createFindingLog(rule.requirements, catalogue);
  let broke: string | undefined;
  try {
    if (!view) throw noView;
    for (const seen of rule.judge(view)) {
      const detail = {
        message: seen.message ?? 'no message was given',
        ...(seen.expected !== undefined && { expected: seen.expected }),
        ...(seen.actual !== undefined && { actual: seen.actual }),
        evidence: seen.evidence,
      };
      findings.add(seen.requirement, seen.outcome, detail, seen.times);
    }
  } catch (thrown) {
    const text = thrown instanceof Error ? (thrown.stack ?? thrown.message) : String(thrown);
    broke = `the rule itself broke: ${text}`;
  }
  const silent = broke === undefined ? undefined : { verdict: 'error' as const, reason: broke };
  const judged = findings.judged(
    verdictOfRuleFindings,
    silent ?? { verdict: 'not_exercised', reason: 'nothing that happened in this run shows it' },
  );
  const seen = judged.filter(({ exercised }) => exercised > 0).map((each) => each.verdict);
  const verdict: Verdict = silent?.verdict ?? worstVerdict(seen) ?? 'not_exercised';
  const reason = broke ?? judged.find((each) => each.verdict === verdict)?.reason;
  return {
    id: rule.id,
    title: rule.title,
    requirements: rule.requirements,
    verdict,
    ...(reason !== undefined && verdict !== 'pass' && { reason }),
    judged,
    findings: findings.kept,
    omitted: findings.omitted,
  };
}
