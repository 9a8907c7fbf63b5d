import type { Command, Order, PartyRecord, Quote } from '../../src/reference/core/index.ts';
import type { TamperContext } from '../../src/reference/http/index.ts';
import type { Subject } from './context.ts';
import type { Telling } from './events.ts';

/** Conditions on callers and recipients, and on orders and quotes as they are stored. */

type Asked = Pick<TamperContext, 'party'>;

export const byInstitution = (_: unknown, { party }: Asked): boolean =>
  party?.role === 'institution';

export const byCustodian = (_: unknown, { party }: Asked): boolean => party?.role === 'custodian';

export const byMaker = (_: unknown, { party }: Asked): boolean => party?.role === 'market-maker';

/** The custodian of the receiver, and not of the sender as well. */
export const byReceiverCustodian = (
  _: unknown,
  { order, party }: Asked & Pick<Subject, 'order'>,
): boolean =>
  party?.partyId === order?.receiverCustodianPartyId &&
  party?.partyId !== order?.senderCustodianPartyId;

/** Condition on the recipient of an event. */
export const toCustodian = ({ to, parties }: Telling): boolean =>
  parties.find(({ partyId }) => partyId === to)?.role === 'custodian';

/** Condition on the failure reason of a stored order. */
export const endedAs =
  (reason: string) =>
  (order: Order | undefined): boolean =>
    order?.failureReason === reason;

/** Cancelled once a quote on it had been accepted. */
export const isCancelledQuoted = (order: Order): boolean =>
  isCancelled(order) && order.accepted !== undefined;

export const isCancelled = endedAs('USER_CANCELLED');

export const isOpen = ({ status }: Order): boolean => status === 'PENDING' || status === 'QUOTED';

/** Moment at which a quote of the order was accepted; infinite if none was. */
export const acceptedAt = (order: Order | undefined): number =>
  order?.accepted?.acceptedAt ?? Infinity;

export const isByCustodian = ({ caller }: { readonly caller: PartyRecord }): boolean =>
  caller.role === 'custodian';

export const isYen = (order: Order | undefined): boolean =>
  order !== undefined && [order.sourceCurrency, order.targetCurrency].includes('JPY');

/** Condition: ten millions or more. */
export const isLarge = (order: Order | undefined): boolean =>
  order !== undefined && /^\d{8}/.test(order.targetAmount);

/** Condition on the request or the deadline that changes a stored value. */
export const isOfCustodian = (command: Command): boolean =>
  command.type === 'request' && command.caller.role === 'custodian';

/** Quotes of one maker among others, in their order. */
export const quotesBy = (maker: string | undefined, quotes: readonly Quote[]): readonly Quote[] =>
  quotes.filter(({ makerPartyId }) => makerPartyId === maker);

/** True if the caller has quoted the order. */
export const hasQuoted = ({ quotes, party }: Asked & Subject): boolean =>
  quotesBy(party?.partyId, quotes).length > 0;
