import { isObject, textOf } from '../../../protocol/json.ts';
import { tolerance } from '../../../protocol/tolerances.ts';
import { parseTimestamp } from '../../../spec/forms.ts';
import { isTerminal, unsettledStates } from '../../../spec/states.ts';
import { orderStates, quoteStates } from '../../../spec/vocabulary.ts';
import { defineRule } from '../../findings.ts';
import { type Call, countBelow } from '../../trace/calls.ts';
import type { Snapshot } from '../../trace/snapshots.ts';
import { orderStateOf, type OrderTrace, possiblyEffective } from '../../trace/traces.ts';
import { statusAsked } from './pages.ts';
import { walksOf } from './page-walks.ts';

const filtered = { 'order.list': orderStates, 'quote.list': quoteStates } as const;

const statusFilterHoldsOneStatus = defineRule({
  id: 'list.status-filters',
  title: 'A list that is filtered by a status holds that status only',
  requirements: [
    'order.list.status-filter',
    'order.list.custodian-status-filter',
    'quote.list.status-filter',
  ],
  judge(view, findings) {
    for (const endpoint of ['order.list', 'quote.list'] as const) {
      const ofOrders = (role: string) =>
        role === 'custodian' ? 'order.list.custodian-status-filter' : 'order.list.status-filter';
      for (const call of view.endpoint(endpoint)) {
        const asked = statusAsked(call);
        if (!call.ok || !call.own || !Array.isArray(call.data)) continue;
        // The answer to a status that does not exist is open (gap `list.unknown_status`).
        if (!filtered[endpoint].some((state) => state === asked)) continue;
        const requirement =
          endpoint === 'quote.list' ? 'quote.list.status-filter' : ofOrders(call.exchange.role);
        for (const item of call.data) {
          const status = isObject(item) ? item['status'] : undefined;
          findings.assert(requirement, status === asked, call.id, () => ({
            message: `a list filtered by ${asked} held an item in another status`,
            expected: asked,
            actual: status ?? null,
          }));
        }
      }
    }
  },
});

const requirements = [
  'rfq.list.accepted-order-left',
  'order.cancel.request-closes',
  'rfq.list.failed-order-left',
  'rfq.list.expired-order-left',
] as const;

interface Closing {
  readonly requirement: (typeof requirements)[number];
  readonly why: string;
  /** Time by which it had happened: as a place in the history, and in our milliseconds. */
  readonly close: number;
  readonly atMs: number;
  readonly source: string;
}

function closingOf({ acceptances, cancels, snapshots }: OrderTrace): Closing | undefined {
  const accepted = acceptances.find(({ ok, data }) => ok && textOf(data, 'status') === 'QUOTED');
  const cancelled = cancels.find(({ ok }) => ok);
  const isUntouched = possiblyEffective([...acceptances, ...cancels]).length === 0;
  const ended = (state: string): Snapshot | undefined =>
    isUntouched ? snapshots.find((seen) => orderStateOf(seen) === state) : undefined;
  const [failed, expired] = [ended('FAILED'), ended('EXPIRED')];
  const ofCall = ({ close, exchange, id }: Call) => ({
    close,
    atMs: exchange.received,
    source: id,
  });
  const ofSnapshot = ({ close, to, source }: Snapshot) => ({ close, atMs: to, source });
  const [accept, cancel, fail, expire] = requirements;
  if (accepted) return { requirement: accept, why: 'was accepted', ...ofCall(accepted) };
  if (cancelled) return { requirement: cancel, why: 'was cancelled', ...ofCall(cancelled) };
  if (failed) return { requirement: fail, why: 'had failed', ...ofSnapshot(failed) };
  return expired && { requirement: expire, why: 'had expired', ...ofSnapshot(expired) };
}

const closedRequestsLeaveTheList = defineRule({
  id: 'rfq.left',
  title: 'A request leaves the list once its order is accepted, cancelled, failed or expired',
  requirements,
  judge(view, findings) {
    const closings = new Map([...view.orders].map(([id, trace]) => [id, closingOf(trace)]));
    for (const snapshot of view.snapshotsOf('rfq')) {
      const id = textOf(snapshot.value, 'intent_id') ?? '';
      if (!closings.has(id) || snapshot.via !== 'rfq.list') continue;
      const closing = closings.get(id);
      const isClosed = closing && snapshot.from > closing.atMs + tolerance.replicationLagMs;
      const expiry = parseTimestamp(snapshot.value['expires_at']);
      const isOver = expiry !== undefined && view.clock.wellAfter(snapshot, expiry);
      if (!isClosed && !isOver) continue;
      const { requirement, why, source } = isClosed
        ? closing
        : { requirement: 'rfq.list.expired-order-left' as const, why: 'had expired', source: '' };
      findings.fail(requirement, {
        message: `a request was still on the list of active ones though its order ${why}`,
        actual: id,
        evidence: [source, snapshot.source].filter((id) => id !== ''),
      });
    }
    const whole = view
      .once(walksOf)
      .filter((walk) => walk.first.endpoint === 'rfq.list' && walk.holdsOwn);
    const starts = whole.map((walk) => walk.first.open);
    for (const [id, closing] of closings) {
      const walk = closing && whole[countBelow(starts, closing.close)];
      if (walk && !walk.ids.includes(id)) findings.pass(closing.requirement, walk.first.id);
    }
  },
});

/** 4.4: the list holds settlements won. Orders that ended unsettled are judged by `settlement.rollback`. */
const settlementsAreOfSettledOrders = defineRule({
  id: 'settlement.of-settled-order',
  title: 'What is on a list of settlements is of an order that had settled',
  requirements: ['settlement.list.settled-only'],
  judge(view, findings) {
    for (const snapshot of view.snapshotsOf('settlement')) {
      const trace = view.order(textOf(snapshot.value, 'intent_id'));
      if (!trace || snapshot.via !== 'settlement.list') continue;
      const states = trace.snapshots.map((seen) => orderStateOf(seen));
      if (unsettledStates.some((state) => states.includes(state))) continue;
      const unsettled = trace.snapshots.find((seen) => {
        const state = orderStateOf(seen);
        const isLater = seen.from > snapshot.to + tolerance.replicationLagMs;
        return isLater && state !== undefined && !isTerminal(state);
      });
      findings.assert('settlement.list.settled-only', !unsettled, snapshot.source, () => ({
        message: `a trade was among the settlements though its order was ${unsettled && orderStateOf(unsettled)}`,
        fields: ['status'],
        actual: trace.id,
        evidence: [snapshot.source, unsettled?.source ?? ''],
      }));
    }
  },
});

export const exclusionRules = [
  statusFilterHoldsOneStatus,
  closedRequestsLeaveTheList,
  settlementsAreOfSettledOrders,
];
