import { textOf } from '../../../protocol/json.ts';
import { defineRule } from '../../findings.ts';
import { relationOf } from '../../trace/event-delivery.ts';
import type { HistoryView } from '../../trace/history-view.ts';

/** For each party, the place from which on there was an order of others that its list could have held by mistake. */
function firstUnrelatedOrders(view: HistoryView): (party: string) => number {
  const known = new Map<string, number>();
  return (party) => {
    const before = known.get(party);
    if (before !== undefined) return before;
    let first = Number.POSITIVE_INFINITY;
    for (const trace of view.orders.values()) {
      const { creation } = trace;
      if (!creation || creation.close >= first) continue;
      if (relationOf(view, trace, party) === 'stranger') first = creation.close;
    }
    known.set(party, first);
    return first;
  };
}

/** 4.2, 4.3. */
export const listHoldsOwnOrdersOnly = defineRule({
  id: 'access.lists',
  title: 'A list of orders holds none that its party has no part in',
  requirements: ['order.list.own-only', 'order.list.custodied-only'],
  judge(view, findings) {
    const firstUnrelatedOrder = firstUnrelatedOrders(view);
    for (const { value, via, party, open, role, source } of view.snapshotsOf('order')) {
      const trace = view.orders.get(textOf(value, 'intent_id') ?? '');
      if (via !== 'order.list' || !trace) continue;
      const relation = relationOf(view, trace, party);
      if (relation === 'unknown' || relation === 'receiver') continue;
      if (relation !== 'stranger' && firstUnrelatedOrder(party) > open) continue;
      const requirement =
        role === 'institution' ? 'order.list.own-only' : 'order.list.custodied-only';
      findings.assert(requirement, relation !== 'stranger', source, () => ({
        message: `the list of ${party} held an order that it has no part in`,
        actual: trace.id,
        evidence: [source],
      }));
    }
  },
});
