import { judgeWhoeverActed } from '../../oracle/judge-whoever-acted.ts';
import type { HistoryView } from '../../oracle/trace/history-view.ts';
import type { Rule } from '../../oracle/rule.ts';
import type { Finding } from '../../results/findings.ts';
import {
  type Catalogue,
  type SourceReport,
  sourceReport,
  summarize,
} from '../../results/source-report.ts';
import { verdictOfRuleFindings, worstVerdict } from '../../results/verdicts.ts';

/** Applies every rule to one view of the history; where no view can be made, no rule can judge. */
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
 * Applies one rule to a whole history. A rule that throws, or judges what is not its own, is our own fault: what it had
 * found of its own requirements stands, and nothing else is touched.
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
  return sourceReport(rule, summary, verdict, reason);
}
