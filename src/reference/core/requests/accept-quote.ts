import { endOrder, setQuoteState } from '../lifecycle/end-order.ts';
import { settlementStart, settlementWindow } from '../lifecycle/deadlines.ts';
import type { Acceptance, Order, Quote } from '../records.ts';
import { type Refusal, refuse } from '../errors.ts';
import { emitRfqClosed, emitSelection, emitOrderUpdated } from '../lifecycle/emit-events.ts';
import type { UnitOfWork } from '../unit-of-work.ts';
import { notFound, onOrder, withoutInput } from './handler.ts';

function checkUsable(work: UnitOfWork, order: Order, quote: Quote): Refusal | undefined {
  const { accept, time } = work.policy;
  if (!accept.from.includes(order.status)) {
    const again = order.accepted?.quoteId === quote.id;
    return refuse(
      again ? 'already_done' : 'wrong_state',
      `the order is ${order.status}, and a quote can be accepted while ${accept.from.join(' or ')}`,
    );
  }
  if (time.passed(work.now, order.expiresAt)) {
    return refuse('wrong_state', 'the order has expired');
  }
  if (!accept.isOpen(order)) {
    return refuse('wrong_state', 'the proposal of the order has not been accepted');
  }
  if (!accept.quoteFrom.includes(quote.status)) {
    return refuse('quote_not_usable', `the quote is ${quote.status}`);
  }
  return time.passed(work.now, quote.validUntil)
    ? refuse('quote_not_usable', 'the quote is no longer valid')
    : undefined;
}

/** Selects a quote: the order is QUOTED, rivals are rejected, and settlement is on its way (3.1, 3.2). */
function select(work: UnitOfWork, order: Order, quote: Quote): Order {
  const { policy } = work;
  const accepted: Acceptance = {
    quoteId: quote.id,
    makerPartyId: quote.makerPartyId,
    rate: quote.rate,
    sourceAmount: quote.cost,
    acceptedAt: work.now,
    validUntil: quote.validUntil,
  };
  const quoted = work.saveOrder({ ...order, status: policy.accept.state, accepted });
  const selected = setQuoteState(work, quote, policy.quotes.selectedAs);
  const rejected: Quote[] = [];
  for (const rival of work.quotesOf(order)) {
    if (rival.id === quote.id || rival.status !== 'PENDING') continue;
    const moved = setQuoteState(work, rival, policy.quotes.unselected(rival, quote));
    if (moved.status === 'REJECTED') rejected.push(moved);
  }
  work.schedule(settlementStart(policy, quoted, accepted));
  work.schedule(settlementWindow(policy, quoted, accepted));
  emitOrderUpdated(work, quoted);
  emitSelection(work, selected, rejected);
  emitRfqClosed(work, order, 'acceptance');
  return quoted;
}

const accept = onOrder((work, request, order) => {
  const { accept, money, orders, views } = work.policy;
  const quoteId = request.params.quote_id;
  const quote = quoteId === undefined ? undefined : work.tables.quotes.get(quoteId);
  if (quote?.intentId !== order.id) return notFound('quote', quoteId, 'quote_id');
  const repeated = order.status === accept.state && order.accepted?.quoteId === quote.id;
  if (repeated && accept.again === 'repeat') return accept.answer(order, request.caller, views);
  const refusal = checkUsable(work, order, quote);
  if (refusal !== undefined) return refusal;
  if (money.affordable(quote.cost, order))
    return accept.answer(select(work, order, quote), request.caller, views);
  if (accept.aboveMaximum === 'refuse') {
    const detail = `the quote costs ${quote.cost}, the order pays at most ${order.sourceAmountMax}`;
    return refuse('above_maximum', detail);
  }
  const failed = endOrder(work, order, { ...orders.slippage, end: 'slippage' });
  return accept.answer(failed, request.caller, views);
});
export const acceptQuote = withoutInput(accept);
