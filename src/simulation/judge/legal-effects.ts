import { type Call, isRefusal } from '../../oracle/trace/calls.ts';
import type { HistoryView } from '../../oracle/trace/history-view.ts';
import type { OrderTrace } from '../../oracle/trace/traces.ts';
import { groupBy } from '../../history/group-by.ts';
import { textOf } from '../../protocol/json.ts';
import type { CastName } from '../../spec/requirements/requirement.ts';
import { compareWithModel, describeReply } from '../../suite/model/compare.ts';
import {
  isPermitted,
  type OrderedExchange,
  orderHistoryOf,
} from '../../suite/model/order-history.ts';
import type { WorldFinding } from '../outcome.ts';
import type { WorldRun } from '../run-plan.ts';
import { defect } from './finding.ts';

/** Result of the search for a legal order of effects, over all orders. */
export interface EffectsJudgement {
  readonly findings: readonly WorldFinding[];
  /** Number of orders that have a legal order of effects, and number of orders for which the search hit its bound. */
  readonly legal: number;
  readonly unknown: number;
}

/** Bound of the search steps for each order: worlds are many, and few orders need more. */
const mostSteps = 3_000;

const ruleId = 'legal-effects';

/**
 * Linearizability per order: some order of the commands that were sent, which agrees with when each was sent and
 * answered, explains every answer. Orders that a control pushed off their path are left out: the model knows none.
 */
export function judgeEffects(run: WorldRun, view: HistoryView): EffectsJudgement {
  const callsOf = groupBy(
    view.calls,
    ({ exchange }) => exchange.params.intent_id?.toLowerCase() ?? '',
  );
  const partyIds = new Map(
    Object.entries(run.context.cast).flatMap(([name, { partyId }]) =>
      partyId === undefined ? [] : [[name as CastName, partyId] as const],
    ),
  );
  const findings: WorldFinding[] = [];
  let [legal, unknown] = [0, 0];
  for (const trace of view.orders.values()) {
    const { creation } = trace;
    if (!creation?.ok || isControlled(trace, view)) continue;
    const calls = [creation, ...(callsOf.get(trace.id.toLowerCase()) ?? [])];
    const entries = calls.filter((call) => !isBesideThePoint(call, run));
    const history = orderHistoryOf(entries.map(placeOf), partyIds, run.context.offset);
    if (!history) continue;
    const comparison = compareWithModel(history, mostSteps);
    if (comparison.kind === 'kept') legal += 1;
    else if (comparison.kind === 'undecided') unknown += 1;
    else if (isPermitted(comparison.culprit)) {
      const { requirement, message, culprit, before } = comparison;
      const changing = before.filter(({ kind }) => kind !== 'read' && kind !== 'quotes');
      const cause = `${ruleId} · ${requirement} · ${message}`;
      const exchanges = [...changing, culprit].map(({ exchange }) => exchange.id);
      const more = { requirements: [requirement], exchanges };
      findings.push(defect(cause, ruleId, `${message} ${describeReply(culprit)}`, more));
    }
  }
  return { findings, legal, unknown };
}

const placeOf = ({ open, close, exchange }: Call): OrderedExchange => ({
  begin: open,
  end: close,
  exchange,
});

/** True if a fault, or a memo that asks for one, may have ended the order from outside. */
const isControlled = ({ id, sent }: OrderTrace, view: HistoryView): boolean =>
  view.disturbed(id) || textOf(sent, 'memo')?.startsWith('!') === true;

/** Refusals that say nothing about the order: of a token, or because the proposal must be accepted before any trade. */
const isBesideThePoint = (call: Call, { assignment }: WorldRun): boolean =>
  call.status === 401 ||
  (!call.own && isRefusal(call)) ||
  (isRefusal(call) &&
    call.endpoint === 'quote.accept' &&
    assignment['proposal.effect'].startsWith('opens'));
