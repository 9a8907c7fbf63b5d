import { type EndpointName, endpointNames, endpoints } from '../../../spec/endpoints.ts';
import type { Assignment } from '../../../spec/gaps/index.ts';
import type { Role } from '../../../spec/vocabulary.ts';
import type { PartyRecord } from '../contract.ts';
import type { Order, Settlement } from '../records.ts';

/** Relation of a party to an order (1.4). */
export type Relation = 'sender' | 'sender-custodian' | 'receiver-custodian';

export type OrderAction =
  | 'order.read'
  | 'order.cancel'
  | 'order.quotes'
  | 'proposal.accept'
  | 'quote.accept';

const unrelatedCaller = { '404': 'not_found', '403': 'not_party_to_order' } as const;
const bothSides: readonly Relation[] = ['sender', 'sender-custodian', 'receiver-custodian'];
const senderSide: readonly Relation[] = ['sender', 'sender-custodian'];

const quoteReaders = { allow: bothSides, refuse: senderSide } as const;
const listed = { yes: bothSides, no: senderSide } as const;

/** Relations whose parties see an order in their list, or get its events. `no` leaves out receiver custodians. */
export const relationsFor = (receivers: 'yes' | 'no'): readonly Relation[] => listed[receivers];

const partyOf: Record<Relation, (order: Order) => string | undefined> = {
  sender: (order) => order.senderPartyId,
  'sender-custodian': (order) => order.senderCustodianPartyId,
  'receiver-custodian': (order) => order.receiverCustodianPartyId,
};

/** The parties that stand in these relations to the order, each once. */
export function partiesIn(order: Order, relations: readonly Relation[]): readonly string[] {
  const parties: string[] = [];
  for (const relation of relations) {
    const party = partyOf[relation](order);
    if (party !== undefined && !parties.includes(party)) parties.push(party);
  }
  return parties;
}

/** A custodian of both sides acts for the sender. */
function relationOf(order: Order, caller: PartyRecord): Relation | undefined {
  const id = caller.partyId;
  if (caller.role === 'institution') return id === order.senderPartyId ? 'sender' : undefined;
  if (caller.role !== 'custodian') return undefined;
  if (id === order.senderCustodianPartyId) return 'sender-custodian';
  return id === order.receiverCustodianPartyId ? 'receiver-custodian' : undefined;
}

/** Access by role and by relation to an order, and the answers to refused callers (1.4, 4, 5). */
export const accessPolicy = (assignment: Assignment) => ({
  roles: Object.fromEntries(
    endpointNames.map((name) => [name, endpoints[name].roles]),
  ) as unknown as Readonly<Record<EndpointName, readonly Role[]>>,
  relationOf,
  may: {
    'order.read': bothSides,
    'order.cancel': ['sender'],
    'order.quotes': quoteReaders[assignment['access.receiver_quotes']],
    'proposal.accept': ['sender-custodian'],
    'quote.accept': senderSide,
  } as Readonly<Record<OrderAction, readonly Relation[]>>,
  /** Relations whose parties find the order in their list of orders. */
  lists: relationsFor(assignment['access.receiver_lists']),
  /** Refusal of a caller that has no relation to the order. */
  unrelatedCaller: unrelatedCaller[assignment['access.foreign']],
  readsSettlement: (settlement: Settlement, caller: PartyRecord): boolean =>
    settlement.makerPartyId === caller.partyId,
  unknownStreamFilter: assignment['stream.unknown_filter'],
});
