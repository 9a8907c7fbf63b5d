import type { Rule } from '../../oracle/index.ts';
import type { HistoryView } from '../../oracle/trace/history-view.ts';
import { causesOf, createLocator } from '../../results/causes/index.ts';
import type { SourceReport } from '../../results/source-report.ts';
import { requirements } from '../../spec/requirements/index.ts';
import { applyRules, requirementVerdicts } from '../../suite/engine/apply-rules.ts';
import type { Scope } from '../../suite/engine/plan.ts';
import type { WorldFinding } from '../outcome.ts';
import type { WorldRun } from '../run-plan.ts';

/** Nothing is out of scope: a rule that found something could judge it. */
const anywhere: Scope = {
  parties: {},
  clock: { kind: 'virtual', maxWaitMs: Number.POSITIVE_INFINITY, offset: { least: 0, most: 0 } },
  controls: {},
};

/**
 * Findings of the rules, one for each probable cause. The causes are those that a report of `assay check` would name,
 * so that one bug is one finding however many rules it breaks.
 */
export function causesOfRules(
  run: WorldRun,
  view: HistoryView,
  rules: readonly Rule[],
): readonly WorldFinding[] {
  if (rules.length === 0) return [];
  const locate = createLocator(run.history);
  const judged: readonly SourceReport[] = applyRules(rules, () => view, requirements).map(
    (source) => ({ ...source, failures: source.failures.map(locate) }),
  );
  const verdicts = requirementVerdicts(requirements, anywhere, { checks: [], rules }, [], judged);
  return causesOf(verdicts, judged).flatMap((cause): WorldFinding[] => {
    const [first] = cause.failures;
    const source = judged.find(({ id }) => id === first?.source);
    const failure = first && source?.failures[first.index];
    if (!source || !failure) return [];
    return [
      {
        cause: cause.id,
        rule: source.id,
        requirements: cause.requirements,
        message: failure.message,
        exchanges: failure.exchanges,
        blame: 'defect',
      },
    ];
  });
}
