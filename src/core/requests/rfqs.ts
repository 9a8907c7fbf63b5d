import type { Reply } from '../contract.ts';
import type { Order, Quote } from '../records.ts';
import type { Refusal } from '../refusal.ts';
import { every } from '../store/heap.ts';
import type { Request, Work } from '../work.ts';
import { rfqGroup } from '../world.ts';
import { checkRole, notFound } from './access.ts';
import { currencyFiltered, listReply } from './lists.ts';

/** The order behind a request for quote that makers were told of, active or not. */
export function rfqFor(
  work: Work,
  request: Request,
): { readonly ok: true; readonly order: Order } | Refusal {
  const order = work.order(request.params.intent_id);
  if (order === undefined || !work.policy.rfqs.isAnnounced(order)) {
    return notFound('request', request.params.intent_id, 'intent_id');
  }
  return { ok: true, order };
}

export function listRfqs(work: Work, request: Request): Reply {
  const role = checkRole(work, request);
  if (role !== undefined) return role;
  const keys = work.heap.activeRfqs.of(rfqGroup, currencyFiltered(work, request, every));
  return listReply(work, request, keys, work.heap.orders, work.policy.views.rfqItem);
}

export function readRfq(work: Work, request: Request): Reply {
  const role = checkRole(work, request);
  if (role !== undefined) return role;
  const found = rfqFor(work, request);
  if (!found.ok) return found;
  const { order } = found;
  const { rfqs, views } = work.policy;
  const active = rfqs.isActive(order);
  if (!active && !rfqs.closedReadable) return notFound('request', order.id, 'intent_id');
  const own = (): readonly Quote[] => {
    const keys = work.heap.orderQuotes.of(order.id, request.caller.partyId);
    return keys.ascending(0, keys.size).map((seq) => work.heap.quotes.at(seq));
  };
  return { ok: true, status: 200, data: views.rfqDetail(order, active, own) };
}
