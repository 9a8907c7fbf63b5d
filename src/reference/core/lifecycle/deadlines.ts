import { isTerminal } from '../../../spec/states.ts';
import type { Deadline, Leg } from '../contract.ts';
import type { Policy } from '../policy/policy.ts';
import type { Acceptance, Order, Quote } from '../records.ts';

/** Moments at which the core must be called again for a record. Each is a function of the record alone. */

export const orderExpiry = ({ time }: Policy, order: Order): Deadline => ({
  at: time.end(order.expiresAt),
  kind: 'order-expiry',
  intentId: order.id,
});

export const orderValidation = ({ orders }: Policy, order: Order): Deadline => ({
  at: order.createdAt + orders.validationDelayMs,
  kind: 'order-validation',
  intentId: order.id,
});

export const quoteExpiry = ({ time }: Policy, quote: Quote): Deadline => ({
  at: time.end(quote.validUntil),
  kind: 'quote-expiry',
  intentId: quote.intentId,
  quoteId: quote.id,
});

export const settlementStart = (
  { settlement }: Policy,
  order: Order,
  accepted: Acceptance,
): Deadline => ({
  at: accepted.acceptedAt + settlement.startDelayMs,
  kind: 'settlement-start',
  intentId: order.id,
  quoteId: accepted.quoteId,
});

export const settlementWindow = (
  { settlement }: Policy,
  order: Order,
  accepted: Acceptance,
): Deadline => ({
  at: accepted.acceptedAt + settlement.windowMs,
  kind: 'settlement-window',
  intentId: order.id,
  quoteId: accepted.quoteId,
});

/** The legs are spread evenly between the start of the settlement and its end. */
export function settlementLeg(
  { settlement }: Policy,
  order: Order,
  accepted: Acceptance,
  leg: Leg,
): Deadline {
  const { startDelayMs, durationMs } = settlement;
  const offset = startDelayMs + Math.round(((durationMs - startDelayMs) * leg) / 4);
  return {
    at: accepted.acceptedAt + offset,
    kind: 'settlement-leg',
    intentId: order.id,
    quoteId: accepted.quoteId,
    leg,
  };
}

function settlementDeadlines(policy: Policy, order: Order, accepted: Acceptance): Deadline[] {
  const window = settlementWindow(policy, order, accepted);
  if (order.status === 'QUOTED') return [settlementStart(policy, order, accepted), window];
  if (order.stalled || order.legsDone === 4) return [window];
  return [settlementLeg(policy, order, accepted, (order.legsDone + 1) as Leg), window];
}

/** False for a fault that came too late for the state of its order: it never takes effect. */
const awaitsValidation = ({ orders }: Policy, { fault, status }: Order): boolean =>
  fault?.kind === 'withdraw'
    ? orders.withdrawn.from.includes(status)
    : fault?.kind === 'invalid' && status === 'PENDING';

/** Pending deadlines of an order, without those of its quotes. */
export function pendingDeadlines(policy: Policy, order: Order): readonly Deadline[] {
  if (isTerminal(order.status)) return [];
  const validation = awaitsValidation(policy, order) ? [orderValidation(policy, order)] : [];
  return order.accepted === undefined
    ? [...validation, orderExpiry(policy, order)]
    : [...validation, ...settlementDeadlines(policy, order, order.accepted)];
}
