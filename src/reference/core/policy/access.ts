import { type EndpointName, endpointNames, endpoints } from '../../../spec/endpoints.ts';
import type { Assignment } from '../../../spec/gaps/index.ts';
import type { Role } from '../../../spec/vocabulary.ts';
import type { PartyRecord } from '../contract.ts';
import type { Order } from '../records.ts';
import type { AccessPolicy, Relation } from './policy.ts';

const unrelatedCaller = { '404': 'not_found', '403': 'not_party_to_order' } as const;
const bothSides: readonly Relation[] = ['sender', 'sender-custodian', 'receiver-custodian'];
const senderSide: readonly Relation[] = ['sender', 'sender-custodian'];

const quoteReaders = { allow: bothSides, refuse: senderSide } as const;
const listed = { yes: bothSides, no: senderSide } as const;

/** Relations whose parties see an order in their list, or get its events. `no` leaves out receiver custodians. */
export const relationsFor = (receivers: 'yes' | 'no'): readonly Relation[] => listed[receivers];

/** A custodian of both sides acts for the sender. */
function relationOf(order: Order, caller: PartyRecord): Relation | undefined {
  const id = caller.partyId;
  if (caller.role === 'institution') return id === order.senderPartyId ? 'sender' : undefined;
  if (caller.role !== 'custodian') return undefined;
  if (id === order.senderCustodianPartyId) return 'sender-custodian';
  return id === order.receiverCustodianPartyId ? 'receiver-custodian' : undefined;
}

export function accessPolicy(assignment: Assignment): AccessPolicy {
  return {
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
    },
    lists: relationsFor(assignment['access.receiver_lists']),
    unrelatedCaller: unrelatedCaller[assignment['access.foreign']],
    readsSettlement: (settlement, caller) => settlement.makerPartyId === caller.partyId,
    unknownStreamFilter: assignment['stream.unknown_filter'],
  };
}
