import { allRules, type Rule } from '../oracle/index.ts';
import { type HistoryView, viewOf } from '../oracle/trace/history-view.ts';
import type { Finding } from '../results/findings.ts';
import { unheardAfterResume } from './judge/resumed-streams.ts';
import { causeOf } from './judge/causes.ts';
import { judgeEffects } from './judge/legal-effects.ts';
import { restless } from './judge/liveness.ts';
import type { WorldFinding } from './outcome.ts';
import type { WorldRun } from './run-plan.ts';

/** The history of a world, indexed once for all that look at it. */
export const viewOfRun = (run: WorldRun): HistoryView => viewOf(run.history, run.context);

/** What is violated in a world: by its history, and by how it ended. One finding for each cause. */
export function judgeRun(
  run: WorldRun,
  view: HistoryView = viewOfRun(run),
  rules: readonly Rule[] = allRules,
): readonly WorldFinding[] {
  const found = new Map<string, WorldFinding>();
  const add = (finding: WorldFinding): void => {
    if (!found.has(finding.cause)) found.set(finding.cause, finding);
  };
  for (const rule of rules) {
    try {
      for (const finding of rule.judge(view))
        if (finding.outcome === 'fail' || finding.outcome === 'warn')
          add(findingOf(rule.id, finding));
    } catch (error) {
      add(brokenRule(rule.id, error));
    }
  }
  const others = [
    ...restless(run, view),
    ...unheardAfterResume(run, view),
    ...judgeEffects(run, view).findings,
  ];
  for (const finding of others) add(finding);
  return [...found.values()];
}

function findingOf(rule: string, finding: Finding): WorldFinding {
  const message = finding.message ?? '';
  return {
    cause: causeOf(rule, finding.requirement, message),
    rule,
    requirements: [finding.requirement],
    message,
    exchanges: finding.evidence,
    blame: 'defect',
  };
}

function brokenRule(rule: string, error: unknown): WorldFinding {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    cause: causeOf(rule, 'the rule broke', message.split('\n')[0] ?? ''),
    rule,
    requirements: [],
    message,
    exchanges: [],
    blame: 'harness',
  };
}
