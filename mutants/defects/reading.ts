import type { Json } from './values.ts';
import type { Order, PartyRecord, Policy, Quote } from '../../src/reference/core/index.ts';
import { orderOf, ordersOf, quotesOf } from '../../src/reference/core/index.ts';
import type { TamperContext } from '../../src/reference/http/index.ts';
import type { EndpointName } from '../../src/spec/endpoints.ts';

/** Lookups of a defect in the state of its world: orders, quotes and parties of a message. */

/** Endpoints that read orders (`orderReads`), and all that answer with one (`orderAnswers`). */
export const orderReads = ['order.read', 'order.list'] as const;

export const orderAnswers: readonly EndpointName[] = [
  'order.create',
  'order.read',
  'order.list',
  'order.cancel',
  'quote.accept',
  'proposal.accept',
];

export const everyList: readonly EndpointName[] = [
  'order.list',
  'order.quotes',
  'rfq.list',
  'rfq.quotes',
  'quote.list',
  'settlement.list',
];

/** The order that a resource or a payload speaks of. */
export const orderIn = ({ state }: TamperContext, item: Json): Order | undefined =>
  typeof item.intent_id === 'string' ? orderOf(state, item.intent_id) : undefined;

export const quotesOn = ({ state }: TamperContext, intentId: unknown): readonly Quote[] =>
  quotesOf(state, String(intentId));

/** Orders of the sender with this party identifier, oldest first. */
export const ordersBy = ({ state }: TamperContext, partyId: unknown): readonly Order[] =>
  ordersOf(state).filter((order) => order.senderPartyId === partyId);

/** A party of a role that has no part in an order. */
export const stranger = (
  role: string,
  order: Order,
  { parties }: TamperContext,
): string | undefined => {
  const { senderPartyId, senderCustodianPartyId, receiverCustodianPartyId } = order;
  const own = [senderPartyId, senderCustodianPartyId, receiverCustodianPartyId];
  return parties.find((party) => party.role === role && !own.includes(party.partyId))?.partyId;
};

/** The views of a world, as its policy writes them. */
export const viewsOf = ({ state }: TamperContext): Policy['views'] => state.world.policy.views;

/** The open requests of some orders, as lists show them. */
export const openRequestsOf = (
  context: TamperContext,
  isMeant: (order: Order) => boolean,
): readonly unknown[] =>
  ordersOf(context.state)
    .toReversed()
    .filter((order) => order.status === 'PENDING' && isMeant(order))
    .map(viewsOf(context).rfqItem);

/** Fields that an order takes over from its accepted quote. */
export const termsOf = ({ id, makerPartyId, rate, cost, validUntil }: Quote) => ({
  quoteId: id,
  makerPartyId,
  rate,
  sourceAmount: cost,
  validUntil,
});

export const senderOf = (order: Order): PartyRecord => ({
  partyId: order.senderPartyId,
  role: 'institution',
});

export const senderCustodianOf = (order: Order): PartyRecord => ({
  partyId: order.senderCustodianPartyId ?? '',
  role: 'custodian',
});

export const makersIn = ({ parties }: TamperContext): readonly string[] =>
  parties.filter(({ role }) => role === 'market-maker').map(({ partyId }) => partyId);

/** The header (0) or the claims (1) of a bearer token. */
export const part = (authorization: string | undefined, index: number): Json | undefined => {
  try {
    const text = atob((authorization ?? '').split('.')[index]?.split(' ').pop() ?? '');
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
};
