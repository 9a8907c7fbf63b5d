import type { Order, Quote } from '../records.ts';
import type { Refusal } from '../refusal.ts';
import type { Request, Work } from '../work.ts';
import { rfqGroup } from '../world.ts';
import { notFound } from './access.ts';
import { listReply, pageOnly, withCurrency } from './lists.ts';
import { plain, route } from './route.ts';

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

export const listRfqs = route(withCurrency(pageOnly), (work, _request, { page, label }) => {
  const keys = work.heap.activeRfqs.of(rfqGroup, label);
  return listReply(work, page, keys, work.heap.orders, work.policy.views.rfqItem);
});

export const readRfq = plain((work, request) => {
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
});
