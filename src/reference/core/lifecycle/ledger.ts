import type { Leg } from '../contract.ts';
import { Decimal, decimalOf, zero } from '../money.ts';
import type { Acceptance, Order } from '../records.ts';
import type { UnitOfWork } from '../unit-of-work.ts';

/** Escrow account of a settlement: holds the amounts of its parties until all four legs are done. */
export const escrowOf = (order: Order): string => `${escrowPrefix}${order.id}`;
const escrowPrefix = 'escrow of ';

/** Id of the order that an escrow account is for; undefined if the owner of the holdings is a party. */
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

/** Opening balance in a currency that the configuration does not name and that was not moved yet. */
function heldFromTheStart(work: UnitOfWork, owner: string, currency: string): Decimal {
  const { currencies, openingBalanceOfOthers } = work.world.config;
  if (Object.hasOwn(currencies, currency)) return zero;
  return new Decimal(member(openingBalanceOfOthers, owner) ?? zero);
}

const heldBy = (work: UnitOfWork, owner: string, currency: string): Decimal =>
  work.tables.holdings.get(owner)?.get(currency) ?? heldFromTheStart(work, owner, currency);

function put(work: UnitOfWork, owner: string, currency: string, amount: Decimal): void {
  // A balance that equals the opening balance needs no entry.
  const isUsual = amount.eq(heldFromTheStart(work, owner, currency));
  work.saveHolding(owner, currency, isUsual ? undefined : amount);
}

/** Moves an amount if it is available. The sum in its currency never changes. */
function transfer(work: UnitOfWork, { from, to, currency, amount }: Transfer): boolean {
  const available = heldBy(work, from, currency);
  if (available.lt(amount)) return false;
  if (from === to) return true;
  put(work, from, currency, available.minus(amount));
  put(work, to, currency, heldBy(work, to, currency).plus(amount));
  return true;
}

/** Payment for an order, from the sender to the maker in the end: the sender's custodian passes it on. */
const payment = (order: Order, { makerPartyId, sourceAmount }: Acceptance): Transfer => ({
  from: order.senderPartyId,
  to: makerPartyId,
  currency: order.sourceCurrency,
  amount: decimalOf(sourceAmount),
});

/** Delivery by the maker: to the receiver, through its custodian; to the maker itself if an order names neither. */
const delivery = (order: Order, { makerPartyId }: Acceptance): Transfer => ({
  from: makerPartyId,
  to: order.receiverPartyId ?? order.receiverCustodianPartyId ?? makerPartyId,
  currency: order.targetCurrency,
  amount: decimalOf(order.targetAmount),
});

/**
 * Does one of the four legs (1.3): sender to its custodian, custodian to maker, in the source currency; maker to the
 * receiver's custodian, custodian to receiver, in the target currency. The first and the third leg reserve the amount,
 * so that nothing else can spend it. The last leg passes everything on; nothing stays with the custodians. Returns
 * false if the funds are missing.
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

/** Gives back the reserved amounts of an order that will not settle. */
export function releaseEscrow(work: UnitOfWork, order: Order): void {
  if (order.accepted === undefined) return;
  const release = (given: Transfer): boolean =>
    transfer(work, { ...given, from: escrowOf(order), to: given.from });
  if (order.legsDone >= 1) release(payment(order, order.accepted));
  if (order.legsDone >= 3) release(delivery(order, order.accepted));
}
