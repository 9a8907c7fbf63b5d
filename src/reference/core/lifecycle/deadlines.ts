import { isTerminal } from '../../../spec/states.ts';
import type { Deadline, Leg } from '../contract.ts';
import type { Policy } from '../policy/index.ts';
import type { Acceptance, Order, Quote } from '../records.ts';

/** Moments at which the core must be called again for a record. Each is a function of the record alone. */

const ofOrder = (at: number, kind: Deadline['kind'], { id }: Order): Deadline => ({
  at,
  kind,
  intentId: id,
});

export const orderExpiry = ({ time }: Policy, order: Order): Deadline =>
  ofOrder(time.end(order.expiresAt), 'order-expiry', order);

export const orderValidation = ({ orders }: Policy, order: Order): Deadline =>
  ofOrder(order.createdAt + orders.validationDelayMs, 'order-validation', order);

export const quoteExpiry = ({ time }: Policy, quote: Quote): Deadline => ({
  at: time.end(quote.validUntil),
  kind: 'quote-expiry',
  intentId: quote.intentId,
  quoteId: quote.id,
});

const afterAcceptance = (
  delayMs: number,
  kind: Deadline['kind'],
  order: Order,
  { acceptedAt, quoteId }: Acceptance,
): Deadline => ({ ...ofOrder(acceptedAt + delayMs, kind, order), quoteId });

export const settlementStart = ({ settlement }: Policy, order: Order, by: Acceptance): Deadline =>
  afterAcceptance(settlement.startDelayMs, 'settlement-start', order, by);

export const settlementWindow = ({ settlement }: Policy, order: Order, by: Acceptance): Deadline =>
  afterAcceptance(settlement.windowMs, 'settlement-window', order, by);

/** The legs are spread evenly between the start of the settlement and its end. */
export function settlementLeg(
  { settlement: { startDelayMs, durationMs } }: Policy,
  order: Order,
  accepted: Acceptance,
  leg: Leg,
): Deadline {
  const offset = startDelayMs + Math.round(((durationMs - startDelayMs) * leg) / 4);
  return { ...afterAcceptance(offset, 'settlement-leg', order, accepted), leg };
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
