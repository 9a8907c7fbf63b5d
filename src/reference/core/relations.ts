import type { Relation } from './policy/policy.ts';
import type { Order } from './records.ts';

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
