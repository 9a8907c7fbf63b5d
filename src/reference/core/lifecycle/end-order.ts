import type { FailureReason, OrderState, QuoteState } from '../../../spec/vocabulary.ts';
import { releaseEscrow } from './ledger.ts';
import type { RfqEnd } from '../policy/policy.ts';
import type { Order, Quote } from '../records.ts';
import { emitRfqClosed, emitOrderUpdated } from './emit-events.ts';
import type { UnitOfWork } from '../unit-of-work.ts';

export interface OrderEnding {
  readonly state: OrderState;
  readonly reason: FailureReason | undefined;
  /** What it is for makers, where the request was still active. */
  readonly end: RfqEnd;
}

/** Saves a quote under a state; one that has it already stays as it is. */
export function setQuoteState(work: UnitOfWork, quote: Quote, status: QuoteState): Quote {
  return quote.status === status ? quote : work.saveQuote({ ...quote, status });
}

/** Ends an order without settling it: what it held goes back, and its quotes meet their fate. */
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

/** The end of an order at its own deadline, or at that of its accepted quote (3.1). */
export function expireOrder(work: UnitOfWork, order: Order): Order {
  const { expiredAs, expiryReason } = work.policy.orders;
  const reason =
    order.accepted === undefined
      ? expiryReason(order, work.quotesOf(order), work.policy.money)
      : undefined;
  return endOrder(work, order, { state: expiredAs, reason, end: 'expiry' });
}
