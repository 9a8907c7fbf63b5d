import { type Rule, allRules } from '../oracle/index.ts';
import { type HistoryView, viewOf } from '../oracle/trace/history-view.ts';
import { causesOf, createLocator } from '../results/causes/index.ts';
import type { Finding } from '../results/findings.ts';
import type { SourceReport } from '../results/source-report.ts';
import { requirements } from '../spec/requirements/index.ts';
import { applyRules, requirementVerdicts } from '../suite/engine/apply-rules.ts';
import type { Scope } from '../suite/engine/plan.ts';
import { restless, unheardAfterResume } from './judge/liveness.ts';
import { defect, fault, type WorldFinding } from './outcome.ts';
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
  const more = [...restless(run, view), ...unheardAfterResume(run, view), ...grantedUnknown(view)];
  for (const finding of [...causesOfRules(run, view, failing), ...more]) add(finding);
  return [...found.values()];
}

const isBroken = (findings: Iterable<Finding>): boolean =>
  [...findings].some(({ outcome }) => outcome === 'fail' || outcome === 'warn');

function brokenRule(rule: string, error: unknown): WorldFinding {
  const message = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return fault(`${rule} · the rule broke`, rule, message);
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
    const message = `${endpoint} was granted for an order that does not exist`;
    const more = { requirements: [refused[endpoint]], exchanges: [id] };
    return [defect(`unknown order · ${endpoint}`, 'unknown order', message, more)];
  });
}

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
function causesOfRules(
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
    const { requirements } = cause;
    const { exchanges } = failure;
    return [defect(cause.id, source.id, failure.message, { requirements, exchanges })];
  });
}
