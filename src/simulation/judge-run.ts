import { allRules, type Rule } from '../oracle/index.ts';
import { type HistoryView, viewOf } from '../oracle/trace/history-view.ts';
import type { Finding } from '../results/findings.ts';
import { unheardAfterResume } from './judge/resumed-streams.ts';
import { causesOfRules } from './judge/causes-of-rules.ts';
import { judgeEffects } from './judge/legal-effects.ts';
import { restless } from './judge/liveness.ts';
import type { WorldFinding } from './outcome.ts';
import { unknownOrder } from './plan.ts';
import type { WorldRun } from './run-plan.ts';

/** The indexed history of a world, shared by all its judges. */
export const viewOfRun = (run: WorldRun): HistoryView => viewOf(run.history, run.context);

/** Violations in a world, by its history and by how it ended. One finding for each cause. */
export function judgeRun(
  run: WorldRun,
  view: HistoryView = viewOfRun(run),
  rules: readonly Rule[] = allRules,
): readonly WorldFinding[] {
  const found = new Map<string, WorldFinding>();
  const add = (finding: WorldFinding): void => {
    if (!found.has(finding.cause)) found.set(finding.cause, finding);
  };
  const failing: Rule[] = [];
  for (const rule of rules) {
    try {
      if (isBroken(rule.judge(view))) failing.push(rule);
    } catch (error) {
      add(brokenRule(rule.id, error));
    }
  }
  const more = [
    ...restless(run, view),
    ...unheardAfterResume(run, view),
    ...judgeEffects(run, view).findings,
    ...grantedUnknown(view),
  ];
  for (const finding of [...causesOfRules(run, view, failing), ...more]) add(finding);
  return [...found.values()];
}

const isBroken = (findings: Iterable<Finding>): boolean => {
  for (const { outcome } of findings) if (outcome === 'fail' || outcome === 'warn') return true;
  return false;
};

function brokenRule(rule: string, error: unknown): WorldFinding {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return {
    cause: `${rule} · the rule broke`,
    rule,
    requirements: [],
    message,
    exchanges: [],
    blame: 'harness',
  };
}

/** Endpoints that must refuse an unknown order (4.2, 4.4). A list of its quotes may be empty instead. */
const refused = {
  'order.read': 'order.read.unknown-refused',
  'order.cancel': 'order.cancel.unknown-refused',
  'proposal.accept': 'proposal.accept.unknown-refused',
  'rfq.read': 'rfq.read.unknown-refused',
  'settlement.read': 'settlement.read.unknown-refused',
} as const;
const isRefused = (endpoint: string): endpoint is keyof typeof refused =>
  Object.hasOwn(refused, endpoint);

/** Granted requests for an order that no service has created. */
function grantedUnknown(view: HistoryView): readonly WorldFinding[] {
  return view.calls.flatMap(({ endpoint, exchange, ok, id }): WorldFinding[] => {
    if (!ok || endpoint === undefined || !isRefused(endpoint)) return [];
    if (exchange.params.intent_id !== unknownOrder) return [];
    return [
      {
        cause: `unknown order · ${endpoint}`,
        rule: 'unknown order',
        requirements: [refused[endpoint]],
        message: `${endpoint} was granted for an order that does not exist`,
        exchanges: [id],
        blame: 'defect',
      },
    ];
  });
}
