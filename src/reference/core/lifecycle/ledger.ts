import type { Leg } from '../contract.ts';
import { Decimal, zero } from '../money.ts';
import type { Acceptance, Order } from '../records.ts';
import type { UnitOfWork } from '../unit-of-work.ts';

/** Where a settlement holds what its parties have put in until all four legs are done. */
const escrowOf = (order: Order): string => `${escrowPrefix}${order.id}`;
const escrowPrefix = 'escrow of ';

/** The order whose settlement an owner of holdings stands for; undefined where it is a party. */
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

/** What is held of a currency that has not been moved yet and is none of those known. */
function heldFromTheStart(work: UnitOfWork, owner: string, currency: string): Decimal {
  const { currencies, openingBalanceOfOthers } = work.world.config;
  if (Object.hasOwn(currencies, currency)) return zero;
  return new Decimal(member(openingBalanceOfOthers, owner) ?? zero);
}

const heldBy = (work: UnitOfWork, owner: string, currency: string): Decimal =>
  member(work.tables.holdings.get(owner), currency) ?? heldFromTheStart(work, owner, currency);

function put(work: UnitOfWork, owner: string, currency: string, amount: Decimal): void {
  const { [currency]: _, ...others } = work.tables.holdings.get(owner) ?? {};
  // Nothing held need not be written down, save where something else was held from the start.
  const isUsual = amount.eq(heldFromTheStart(work, owner, currency));
  const after = isUsual ? others : { ...others, [currency]: amount };
  work.saveHoldings(owner, Object.keys(after).length === 0 ? undefined : after);
}

/** Moves an amount if it is there; whatever else happens, the sum in its currency stays. */
function transfer(work: UnitOfWork, { from, to, currency, amount }: Transfer): boolean {
  const available = heldBy(work, from, currency);
  if (available.lt(amount)) return false;
  if (from === to) return true;
  put(work, from, currency, available.minus(amount));
  put(work, to, currency, heldBy(work, to, currency).plus(amount));
  return true;
}

/**
 * The four legs (1.3): sender to its custodian, custodian to maker, in the source currency; maker to the receiver's
 * custodian, custodian to receiver, in the target currency. Where an order names no custodian the leg ends at the
 * party itself.
 */
function legsOf(order: Order, { makerPartyId, sourceAmount }: Acceptance): Record<Leg, Transfer> {
  const source = { currency: order.sourceCurrency, amount: new Decimal(sourceAmount) };
  const target = { currency: order.targetCurrency, amount: new Decimal(order.targetAmount) };
  const giver = order.senderPartyId;
  const senderCustodian = order.senderCustodianPartyId ?? giver;
  const receiverCustodian = order.receiverCustodianPartyId ?? makerPartyId;
  const receiver = order.receiverPartyId ?? receiverCustodian;
  return {
    1: { from: giver, to: senderCustodian, ...source },
    2: { from: senderCustodian, to: makerPartyId, ...source },
    3: { from: makerPartyId, to: receiverCustodian, ...target },
    4: { from: receiverCustodian, to: receiver, ...target },
  };
}

const legs = [1, 2, 3, 4] as const;

/**
 * Does one leg: the first and the third set aside what is given, so that nothing else can spend it; the last hands
 * everything on. False where the funds are not there.
 */
export function transferLeg(
  work: UnitOfWork,
  order: Order,
  accepted: Acceptance,
  leg: Leg,
): boolean {
  const all = legsOf(order, accepted);
  const escrow = escrowOf(order);
  if (leg === 1 || leg === 3) return transfer(work, { ...all[leg], to: escrow });
  if (leg === 2) return true;
  for (const each of [1, 3] as const)
    transfer(work, { ...all[each], from: escrow, to: all[each].from });
  return legs.every((each) => transfer(work, all[each]));
}

/** Gives back what an order that will not settle has set aside. */
export function releaseEscrow(work: UnitOfWork, order: Order): void {
  if (order.accepted === undefined) return;
  const all = legsOf(order, order.accepted);
  const escrow = escrowOf(order);
  if (order.legsDone >= 1) transfer(work, { ...all[1], from: escrow, to: all[1].from });
  if (order.legsDone >= 3) transfer(work, { ...all[3], from: escrow, to: all[3].from });
}
