import type { Order, Quote } from '../records.ts';
import type { Refusal } from '../refusal.ts';
import type { Request, UnitOfWork } from '../unit-of-work.ts';
import { rfqGroup } from '../world-setup.ts';
import { notFound } from './order-access.ts';
import { listReply, pageOnly, withCurrency } from './list-reply.ts';
import { withoutInput, handlerOf } from './handler.ts';

/** The order behind a request for quote that was announced to makers, active or not. */
export function announcedRfq(
  work: UnitOfWork,
  request: Request,
): { readonly ok: true; readonly order: Order } | Refusal {
  const order = work.order(request.params.intent_id);
  if (order === undefined || !work.policy.rfqs.isAnnounced(order)) {
    return notFound('request', request.params.intent_id, 'intent_id');
  }
  return { ok: true, order };
}

export const listRfqs = handlerOf(withCurrency(pageOnly), (work, _request, { page, label }) => {
  const keys = work.tables.activeRfqs.of(rfqGroup, label);
  return listReply(work, page, keys, work.tables.orders, work.policy.views.rfqItem);
});

export const readRfq = withoutInput((work, request) => {
  const found = announcedRfq(work, request);
  if (!found.ok) return found;
  const { order } = found;
  const { rfqs, views } = work.policy;
  const active = rfqs.isActive(order);
  if (!active && !rfqs.closedReadable) return notFound('request', order.id, 'intent_id');
  const own = (): readonly Quote[] => {
    const keys = work.tables.orderQuotes.of(order.id, request.caller.partyId);
    return keys.ascending(0, keys.size).map((seq) => work.tables.quotes.at(seq));
  };
  return { ok: true, status: 200, data: views.rfqDetail(order, active, own) };
});
