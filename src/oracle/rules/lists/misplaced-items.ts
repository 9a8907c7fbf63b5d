import { parseTimestamp } from '../../../spec/forms.ts';
import type { EndpointName } from '../../../spec/endpoints.ts';
import { orderStates, quoteStates } from '../../../spec/vocabulary.ts';
import { isObject, textAt } from '../../../protocol/json.ts';
import { targetClockOf } from '../../trace/target-clock.ts';
import { statusAsked } from './page-arithmetic.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { unsettledStates } from '../../../spec/states.ts';
import { defineRule } from '../../findings.ts';
import { type Call, countBelow } from '../../trace/calls.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import { possiblyEffective, type OrderTrace, orderStateOf } from '../../trace/traces.ts';
import { walksOf } from './page-walk.ts';

/** The states that a list can be filtered by. */
export const listedStates: Partial<Record<EndpointName, readonly string[]>> = {
  'order.list': orderStates,
  'quote.list': quoteStates,
};

export const statusFilters = defineRule({
  id: 'list.status-filters',
  title: 'A list that is filtered by a status holds that status only',
  requirements: [
    'order.list.status-filter',
    'order.list.custodian-status-filter',
    'quote.list.status-filter',
  ],
  judge(view, findings) {
    for (const endpoint of ['order.list', 'quote.list'] as const) {
      for (const call of view.endpoint(endpoint)) {
        const asked = statusAsked(call);
        if (!call.ok || !call.own || asked === undefined || !Array.isArray(call.data)) continue;
        // What answers a word that is no state is open (gap `list.unknown_status`).
        if (!listedStates[endpoint]?.includes(asked)) continue;
        const requirement =
          endpoint === 'quote.list'
            ? 'quote.list.status-filter'
            : call.exchange.role === 'custodian'
              ? 'order.list.custodian-status-filter'
              : 'order.list.status-filter';
        for (const item of call.data) {
          const status = isObject(item) ? item['status'] : undefined;
          findings.assert(requirement, status === asked, call.id, () => ({
            message: `a list filtered by ${asked} held an item in another status`,
            expected: asked,
            actual: status ?? null,
            evidence: [call.id],
          }));
        }
      }
    }
  },
});

export const misplacedItems = defineRule({
  id: 'list.belonging',
  title: 'What stands on a list belongs there: to its order, to its state, to its time',
  requirements: [
    'order.quotes.only-that-order',
    'rfq.quotes.only-that-request',
    'rfq.list.accepted-order-left',
    'rfq.list.expired-order-left',
    'order.cancel.request-closes',
    'settlement.list.settled-only',
    'order.read.returns-that-order',
    'rfq.read.returns-that-request',
    'settlement.read.returns-that-settlement',
  ],
  judge(view, findings) {
    const clock = targetClockOf(view);
    for (const snapshot of view.snapshots) {
      const { via, call, value } = snapshot;
      const asked = call?.exchange.params.intent_id;
      if (!call) continue;
      if (asked !== undefined) judgeAsked(snapshot, asked);
      const trace = view.orders.get(textAt(value, 'intent_id') ?? '');
      if (!trace) continue;
      if (via === 'rfq.list') judgeRequest(trace, snapshot, call);
      if (via === 'settlement.list') judgeSettlement(trace, snapshot);
    }

    function judgeAsked({ via, value, source }: Snapshot, asked: string): void {
      const requirement = byPath[via];
      const id = textAt(value, 'intent_id');
      if (!requirement || id === undefined) return;
      findings.assert(requirement, id.toLowerCase() === asked.toLowerCase(), source, () => ({
        message: `${via} answered with something of another order`,
        expected: asked,
        actual: id,
        evidence: [source],
      }));
    }

    function judgeRequest(trace: OrderTrace, snapshot: Snapshot, call: Call): void {
      const { source } = snapshot;
      const listed = (
        requirement:
          | 'rfq.list.accepted-order-left'
          | 'rfq.list.expired-order-left'
          | 'order.cancel.request-closes',
        why: string,
        cause: string,
      ): void => {
        findings.fail(requirement, {
          message: `a request was still on the list of active ones though its order ${why}`,
          actual: trace.id,
          evidence: [cause, source],
        });
      };
      const past = (cause: Call): boolean =>
        cause.ok && call.exchange.sent > cause.exchange.received + tolerance.replicationLagMs;
      const accepted = trace.acceptances.find(
        (other) => past(other) && textAt(other.data, 'status') === 'QUOTED',
      );
      const cancelled = trace.cancels.find(past);
      if (accepted) listed('rfq.list.accepted-order-left', 'had an accepted quote', accepted.id);
      else if (cancelled) listed('order.cancel.request-closes', 'was cancelled', cancelled.id);
      else {
        const expiry = parseTimestamp(value(snapshot, 'expires_at'));
        if (expiry === undefined) return;
        const late = clock.wellAfter(snapshot, expiry);
        if (late) listed('rfq.list.expired-order-left', 'had expired', source);
      }
    }

    /** What ended unsettled is judged by `settlement.rollback`. */
    function judgeSettlement(trace: OrderTrace, snapshot: Snapshot): void {
      const states = trace.snapshots.map((seen) => orderStateOf(seen));
      if (unsettledStates.some((state) => states.includes(state))) return;
      const later = trace.snapshots.find(
        (seen) =>
          ['PENDING', 'QUOTED', 'EXECUTING'].includes(orderStateOf(seen) ?? '') &&
          seen.from > snapshot.to + tolerance.replicationLagMs,
      );
      findings.assert('settlement.list.settled-only', !later, snapshot.source, () => ({
        message: `a trade was among the settlements though its order was ${later && orderStateOf(later)}`,
        actual: trace.id,
        evidence: [snapshot.source, later?.source ?? ''],
      }));
    }
  },
});

const value = (snapshot: Snapshot, field: string): unknown => snapshot.value[field];

const byPath: Partial<
  Record<
    string,
    | 'order.quotes.only-that-order'
    | 'rfq.quotes.only-that-request'
    | 'order.read.returns-that-order'
    | 'rfq.read.returns-that-request'
    | 'settlement.read.returns-that-settlement'
  >
> = {
  'order.quotes': 'order.quotes.only-that-order',
  'rfq.quotes': 'rfq.quotes.only-that-request',
  'order.read': 'order.read.returns-that-order',
  'rfq.read': 'rfq.read.returns-that-request',
  'settlement.read': 'settlement.read.returns-that-settlement',
};

export const closedRequestsLeave = defineRule({
  id: 'rfq.left',
  title: 'A request leaves the list once its order is accepted, cancelled or expired',
  requirements: [
    'rfq.list.accepted-order-left',
    'order.cancel.request-closes',
    'rfq.list.expired-order-left',
  ],
  judge(view, findings) {
    const whole = view
      .once(walksOf)
      .filter((walk) => walk.first.endpoint === 'rfq.list' && walk.whole);
    const starts = whole.map((walk) => walk.first.open);
    for (const trace of view.orders.values()) {
      const passes = (
        requirement:
          | 'rfq.list.accepted-order-left'
          | 'order.cancel.request-closes'
          | 'rfq.list.expired-order-left',
        since: { readonly close: number } | undefined,
      ): void => {
        const walk = since && whole[countBelow(starts, since.close)];
        if (walk && !walk.ids.includes(trace.id)) findings.pass(requirement, walk.first.id);
      };
      passes(
        'rfq.list.accepted-order-left',
        trace.acceptances.find((call) => call.ok),
      );
      passes(
        'order.cancel.request-closes',
        trace.cancels.find((call) => call.ok),
      );
      if (possiblyEffective([...trace.acceptances, ...trace.cancels]).length > 0) continue;
      passes(
        'rfq.list.expired-order-left',
        trace.snapshots.find((seen) => orderStateOf(seen) === 'EXPIRED'),
      );
    }
  },
});
