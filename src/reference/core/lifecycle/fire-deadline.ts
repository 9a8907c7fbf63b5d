import type { Deadline, Leg } from '../contract.ts';
import { endOrder, expireOrder, setQuoteState } from './end-order.ts';
import { faultOf, applyFault } from './faults.ts';
import { transactionHash } from '../ids.ts';
import { transferLeg } from './ledger.ts';
import { settlementLeg } from './deadlines.ts';
import type { Acceptance, Order } from '../records.ts';
import { emitSettled, emitOrderUpdated } from './emit-events.ts';
import type { UnitOfWork } from '../unit-of-work.ts';

/** The accepted quote of an order, if the deadline is about that quote. */
const acceptedBy = (order: Order, deadline: Deadline): Acceptance | undefined =>
  order.accepted?.quoteId === deadline.quoteId ? order.accepted : undefined;

function expireQuote(work: UnitOfWork, order: Order, deadline: Deadline): void {
  const quote =
    deadline.quoteId === undefined ? undefined : work.tables.quotes.get(deadline.quoteId);
  if (quote === undefined || !work.policy.time.passed(work.now, quote.validUntil)) return;
  if (quote.status === 'PENDING') setQuoteState(work, quote, work.policy.quotes.expiredAs);
  else if (order.status === 'QUOTED' && order.accepted?.quoteId === quote.id) {
    expireOrder(work, order);
  }
}

function startSettlement(work: UnitOfWork, order: Order, accepted: Acceptance): void {
  if (order.status !== 'QUOTED') return;
  if (work.policy.time.passed(work.now, accepted.validUntil)) {
    expireOrder(work, order);
    return;
  }
  const started = work.saveOrder({ ...order, status: work.policy.settlement.startedAs });
  emitOrderUpdated(work, started);
  work.schedule(settlementLeg(work.policy, started, accepted, 1));
}

/** Ends an order whose settlement has failed, and returns what was reserved for it. */
const fail = (work: UnitOfWork, order: Order, as: 'revert' | 'timeout'): Order =>
  endOrder(work, order, { ...work.policy.settlement[as], end: 'acceptance' });

function settleLeg(work: UnitOfWork, order: Order, accepted: Acceptance, leg: Leg): void {
  const { settlement, time } = work.policy;
  if (order.status !== 'EXECUTING' || order.legsDone !== leg - 1 || order.stalled) return;
  const fault = faultOf(work, order);
  if (fault?.kind === 'stall') {
    work.saveOrder({ ...order, stalled: true });
    return;
  }
  if (settlement.beyondValidity === 'fails' && time.passed(work.now, accepted.validUntil)) {
    fail(work, order, 'timeout');
    return;
  }
  const reverts = fault?.kind === 'revert' && fault.leg === leg;
  if (reverts || !transferLeg(work, order, accepted, leg)) {
    fail(work, order, 'revert');
    return;
  }
  if (leg === 4) {
    completeSettlement(work, order, accepted);
    return;
  }
  const moved = work.saveOrder({ ...order, legsDone: leg });
  work.schedule(settlementLeg(work.policy, moved, accepted, (leg + 1) as Leg));
}

function completeSettlement(work: UnitOfWork, order: Order, accepted: Acceptance): void {
  const entropy = work.command.type === 'due' ? work.command.entropy : '';
  const hash = transactionHash(order.id, accepted.quoteId, entropy);
  const settled = work.saveOrder({
    ...order,
    status: work.policy.settlement.completedAs,
    legsDone: 4,
    settled: { transactionHash: hash, at: work.now },
  });
  const settlement = {
    id: order.id,
    seq: work.tables.settlements.size,
    quoteId: accepted.quoteId,
    makerPartyId: accepted.makerPartyId,
    sourceCurrency: order.sourceCurrency,
    targetCurrency: order.targetCurrency,
    sourceAmount: accepted.sourceAmount,
    targetAmount: order.targetAmount,
    quotedSourceAmount:
      work.tables.quotes.get(accepted.quoteId)?.sourceAmount ?? accepted.sourceAmount,
    rate: accepted.rate,
    transactionHash: hash,
    settledAt: work.now,
  };
  work.saveSettlement(settlement);
  emitOrderUpdated(work, settled);
  emitSettled(work, settlement);
}

/** Carries out a deadline. A deadline that no longer applies does nothing. */
export function fireDeadline(work: UnitOfWork, deadline: Deadline): void {
  const order = work.order(deadline.intentId);
  if (order === undefined) return;
  const accepted = acceptedBy(order, deadline);
  switch (deadline.kind) {
    case 'order-validation':
      if (order.fault !== undefined) applyFault(work, order, order.fault);
      return;
    case 'order-expiry':
      if (order.status === 'PENDING' && work.policy.time.passed(work.now, order.expiresAt)) {
        expireOrder(work, order);
      }
      return;
    case 'quote-expiry':
      expireQuote(work, order, deadline);
      return;
    case 'settlement-start':
      if (accepted !== undefined) startSettlement(work, order, accepted);
      return;
    case 'settlement-leg':
      if (accepted !== undefined && deadline.leg !== undefined) {
        settleLeg(work, order, accepted, deadline.leg);
      }
      return;
    case 'settlement-window':
      if (accepted !== undefined && order.status === 'EXECUTING') fail(work, order, 'timeout');
  }
}
