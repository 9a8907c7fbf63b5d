import type { Leg } from '../contract.ts';
import { Decimal, decimalOf, zero } from '../money.ts';
import type { Acceptance, Order } from '../records.ts';
import type { UnitOfWork } from '../unit-of-work.ts';

/** Where a settlement holds what its parties have put in until all four legs are done. */
export const escrowOf = (order: Order): string => `${escrowPrefix}${order.id}`;
const escrowPrefix = 'escrow of ';

/** The order whose settlement an owner of holdings is; undefined where the owner is a party. */
export const orderOfEscrow = (owner: string): string | undefined =>
  owner.startsWith(escrowPrefix) ? owner.slice(escrowPrefix.length) : undefined;

interface Transfer {
  readonly from: string;
  readonly to: string;
  readonly currency: string;
  readonly amount: Decimal;
}

/** A currency is any word that a sender writes, so only own members count. */
const member = <T>(record: Readonly<Record<string, T>> | undefined, name: string): T | undefined =>
  record && Object.hasOwn(record, name) ? record[name] : undefined;

/** The opening balance of a currency that no configuration names and that was not moved yet. */
function heldFromTheStart(work: UnitOfWork, owner: string, currency: string): Decimal {
  const { currencies, openingBalanceOfOthers } = work.world.config;
  if (Object.hasOwn(currencies, currency)) return zero;
  return new Decimal(member(openingBalanceOfOthers, owner) ?? zero);
}

const heldBy = (work: UnitOfWork, owner: string, currency: string): Decimal =>
  work.tables.holdings.get(owner)?.get(currency) ?? heldFromTheStart(work, owner, currency);

function put(work: UnitOfWork, owner: string, currency: string, amount: Decimal): void {
  // Nothing held need not be written down, save where something else was held from the start.
  const isUsual = amount.eq(heldFromTheStart(work, owner, currency));
  work.saveHolding(owner, currency, isUsual ? undefined : amount);
}

/** Moves an amount if it is there; the sum in its currency stays the same in any case. */
function transfer(work: UnitOfWork, { from, to, currency, amount }: Transfer): boolean {
  const available = heldBy(work, from, currency);
  if (available.lt(amount)) return false;
  if (from === to) return true;
  put(work, from, currency, available.minus(amount));
  put(work, to, currency, heldBy(work, to, currency).plus(amount));
  return true;
}

/** What is paid for an order, and by whom to whom in the end: its custodian passes it on. */
const payment = (order: Order, { makerPartyId, sourceAmount }: Acceptance): Transfer => ({
  from: order.senderPartyId,
  to: makerPartyId,
  currency: order.sourceCurrency,
  amount: decimalOf(sourceAmount),
});

/** What the maker delivers: to the receiver, by way of its custodian; to itself where an order names neither. */
const delivery = (order: Order, { makerPartyId }: Acceptance): Transfer => ({
  from: makerPartyId,
  to: order.receiverPartyId ?? order.receiverCustodianPartyId ?? makerPartyId,
  currency: order.targetCurrency,
  amount: decimalOf(order.targetAmount),
});

/**
 * Does one of the four legs (1.3): sender to its custodian, custodian to maker, in the source currency; maker to the
 * receiver's custodian, custodian to receiver, in the target currency. The first and the third reserve what is given,
 * so that nothing else can spend it; the last hands everything on, past the custodians, with whom nothing stays. False
 * where the funds are not there.
 */
export function transferLeg(
  work: UnitOfWork,
  order: Order,
  accepted: Acceptance,
  leg: Leg,
): boolean {
  const escrow = escrowOf(order);
  switch (leg) {
    case 1:
      return transfer(work, { ...payment(order, accepted), to: escrow });
    case 2:
      return true;
    case 3:
      return transfer(work, { ...delivery(order, accepted), to: escrow });
    case 4: {
      const given = [payment(order, accepted), delivery(order, accepted)];
      return given.every((each) => transfer(work, { ...each, from: escrow }));
    }
  }
}

/** Gives back what an order that will not settle has reserved. */
export function releaseEscrow(work: UnitOfWork, order: Order): void {
  if (order.accepted === undefined) return;
  const release = (given: Transfer): boolean =>
    transfer(work, { ...given, from: escrowOf(order), to: given.from });
  if (order.legsDone >= 1) release(payment(order, order.accepted));
  if (order.legsDone >= 3) release(delivery(order, order.accepted));
}
