import type { Command, Order, PartyRecord, Quote } from '../../src/reference/core/index.ts';
import type { TamperContext } from '../../src/reference/http/index.ts';
import type { Subject } from './context.ts';
import type { Telling } from './events.ts';
import type { Json } from './values.ts';

/** Conditions on a resource as it is shown, on orders and quotes as they are stored, and on callers and recipients. */

export const statusIs =
  (...statuses: readonly string[]) =>
  ({ status }: { readonly status?: unknown }): boolean =>
    statuses.includes(String(status));

export const isPending = statusIs('PENDING');

/** Condition on the failure reason of an ended order. */
export const reasonIs =
  (reason: string) =>
  (item: Json): boolean =>
    item.failure_reason === reason;

export const has =
  (field: string) =>
  (item: Json): boolean =>
    item[field] !== undefined;

export const lacks =
  (field: string) =>
  (item: Json): boolean =>
    item[field] === undefined;

/** Condition on the stored status of a resource's order, independent of the shown one. */
export const orderIs =
  (...statuses: readonly string[]) =>
  (_: unknown, { order }: Subject): boolean =>
    order !== undefined && statuses.includes(order.status);

/** Condition on an order that has failed for a reason. */
export const orderEndedAs =
  (reason: string) =>
  (_: unknown, { order }: Pick<Subject, 'order'>): boolean =>
    order?.failureReason === reason;

/** Condition: the order of a resource has at least this number of quotes. */
export const quotedTimes =
  (count: number) =>
  (_: unknown, { quotes }: Subject): boolean =>
    quotes.length >= count;

/** Condition on the stored status of a resource's quote, independent of the shown one. */
export const quoteIs =
  (status: string) =>
  (_: unknown, { quote }: Subject): boolean =>
    quote?.status === status;

/** Something was noted under the id of the order that a resource speaks of. */
export const noted = (item: Json, { memory }: Pick<TamperContext, 'memory'>): boolean =>
  memory.has(String(item.intent_id));

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
