import type { EventName } from '../../../spec/events.ts';
import { partiesIn } from '../policy/access.ts';
import type { RfqEnd } from '../policy/events.ts';
import type { Order, Quote, Settlement } from '../records.ts';
import type { UnitOfWork } from '../unit-of-work.ts';

function send(
  work: UnitOfWork,
  to: Iterable<string>,
  event: EventName,
  intentId: string,
  resource: object,
): void {
  for (const party of to) {
    const data = work.policy.events.payload(event, resource, work.now);
    work.events.push({ to: party, event, intentId, data });
  }
}

export function emitOrderUpdated(work: UnitOfWork, order: Order): void {
  const to = partiesIn(order, work.policy.events.recipients.order_updated);
  send(work, to, 'order_updated', order.id, work.policy.views.order(order));
}

export function emitQuoteReceived(work: UnitOfWork, order: Order, quote: Quote): void {
  const to = partiesIn(order, work.policy.events.recipients.quote_received);
  send(work, to, 'quote_received', order.id, work.policy.views.quote(quote));
}

export function emitRfqOpened(work: UnitOfWork, order: Order): void {
  const to = work.policy.events.announcedTo(work.world.makers, order);
  send(work, to, 'quote_request_new', order.id, work.policy.views.rfqItem(order));
}

/** Takes the order as it was while its request was active. */
export function emitRfqClosed(work: UnitOfWork, order: Order, end: RfqEnd): void {
  const { events, views } = work.policy;
  if (!events.closedOn.has(end)) return;
  const hasQuoted = (maker: string): boolean =>
    work.tables.orderQuotes.of(order.id, maker).size > 0;
  const to = events.closedTo(work.world.makers, hasQuoted);
  send(work, to, 'quote_request_expired', order.id, views.rfqItem(order));
}

export function emitSelection(work: UnitOfWork, selected: Quote, rejected: readonly Quote[]): void {
  const { events, views } = work.policy;
  const { intentId, makerPartyId: winner } = selected;
  send(work, [winner], 'quote_accepted', intentId, views.ownQuote(selected));
  const notified = new Set<string>();
  for (const quote of rejected) {
    if (quote.makerPartyId === winner) continue;
    if (events.rejectedPer === 'maker' && notified.has(quote.makerPartyId)) continue;
    notified.add(quote.makerPartyId);
    send(work, [quote.makerPartyId], 'quote_rejected', quote.intentId, views.ownQuote(quote));
  }
}

export function emitSettled(work: UnitOfWork, settlement: Settlement): void {
  const view = work.policy.views.settlement(settlement);
  send(work, [settlement.makerPartyId], 'settlement_completed', settlement.id, view);
}
