import type { FailureReason, OrderState, QuoteState } from '../spec/words.ts';
import { releaseEscrow } from './ledger.ts';
import type { RfqEnd } from './policy/policy.ts';
import type { Order, Quote } from './records.ts';
import { tellRfqClosed, tellStatus } from './tell.ts';
import type { Work } from './work.ts';

export interface Ending {
  readonly state: OrderState;
  readonly reason: FailureReason | undefined;
  /** What it is for makers, where the request was still active. */
  readonly end: RfqEnd;
}

/** Saves a quote under a state; one that has it already stays as it is. */
export function moveQuote(work: Work, quote: Quote, status: QuoteState): Quote {
  return quote.status === status ? quote : work.saveQuote({ ...quote, status });
}

/** Ends an order without settling it: what it held goes back, and its quotes meet their fate. */
export function endOrder(work: Work, order: Order, ending: Ending): Order {
  const { quotes, rfqs } = work.policy;
  releaseEscrow(work, order);
  const ended = work.saveOrder({ ...order, status: ending.state, failureReason: ending.reason });
  for (const quote of work.quotesOf(order)) {
    const selected = quote.id === order.accepted?.quoteId;
    if (quote.status === 'PENDING') moveQuote(work, quote, quotes.orphanedAs);
    else if (selected && order.status === 'QUOTED') moveQuote(work, quote, quotes.forsakenAs);
  }
  tellStatus(work, ended);
  if (rfqs.isActive(order)) tellRfqClosed(work, order, ending.end);
  return ended;
}

/** The end of an order at its own deadline, or at that of its accepted quote (3.1). */
export function expireOrder(work: Work, order: Order): Order {
  const { expiredAs, expiryReason } = work.policy.orders;
  const reason =
    order.accepted === undefined
      ? expiryReason(order, work.quotesOf(order), work.policy.money)
      : undefined;
  return endOrder(work, order, { state: expiredAs, reason, end: 'expiry' });
}
