import type { FailureReason, OrderState, QuoteState } from '../../../spec/vocabulary.ts';
import { releaseEscrow } from './ledger.ts';
import type { RfqEnd } from '../policy/events.ts';
import type { Order, Quote } from '../records.ts';
import { emitRfqClosed, emitOrderUpdated } from './emit-events.ts';
import type { UnitOfWork } from '../unit-of-work.ts';

export interface OrderEnding {
  readonly state: OrderState;
  readonly reason: FailureReason | undefined;
  /** Cause of the end for makers, if the request was still active. */
  readonly end: RfqEnd;
}

/** Saves a quote with a new state. Does nothing if it has that state already. */
export function setQuoteState(work: UnitOfWork, quote: Quote, status: QuoteState): Quote {
  return quote.status === status ? quote : work.saveQuote({ ...quote, status });
}

/** Ends an order without settlement: returns its reserved amounts and sets the final states of its quotes. */
export function endOrder(work: UnitOfWork, order: Order, ending: OrderEnding): Order {
  const { quotes, rfqs } = work.policy;
  releaseEscrow(work, order);
  const ended = work.saveOrder({ ...order, status: ending.state, failureReason: ending.reason });
  for (const quote of work.quotesOf(order)) {
    const selected = quote.id === order.accepted?.quoteId;
    if (quote.status === 'PENDING') setQuoteState(work, quote, quotes.pendingAtOrderEnd);
    else if (selected && order.status === 'QUOTED')
      setQuoteState(work, quote, quotes.acceptedAtOrderEnd);
  }
  emitOrderUpdated(work, ended);
  if (rfqs.isActive(order)) emitRfqClosed(work, order, ending.end);
  return ended;
}

/** Ends an order at its own deadline, or at the deadline of its accepted quote (3.1). */
export function expireOrder(work: UnitOfWork, order: Order): Order {
  const { orders, money } = work.policy;
  const reason =
    order.accepted === undefined
      ? orders.expiryReason(order, work.quotesOf(order), money)
      : undefined;
  return endOrder(work, order, { state: orders.expiredAs, reason, end: 'expiry' });
}
