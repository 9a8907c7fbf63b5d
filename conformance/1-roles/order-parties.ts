import type { CheckContext } from '../../src/suite/engine/check.ts';
import {
  createOrder,
  type Fields,
  retryWhileRefused,
  type PlacedOrder,
} from '../../src/suite/actions/index.ts';
import { tradeAwaitsProposal } from '../../src/spec/gaps/proposals.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import { sendRequest } from '../shared/endpoint-operations.ts';

/** Members of the cast by their relation to an order. */
export interface OrderParties {
  readonly id: string;
  readonly creator: CastName;
  /** An institution that has no part in it. */
  readonly otherInstitution: CastName;
  readonly keeper: CastName;
  readonly receiver: CastName;
  /** A custodian that has no part in it. */
  readonly otherCustodian: CastName;
}

/** The roles of the cast. The other sets swap the two institutions and exchange the custodians. */
export const usualParties: OrderParties = {
  id: 'usual',
  creator: 'sender',
  otherInstitution: 'outsider',
  keeper: 'sender_custodian',
  receiver: 'receiver_custodian',
  otherCustodian: 'outsider_custodian',
};
export const swappedInstitutions: OrderParties = {
  ...usualParties,
  id: 'exchanged',
  creator: 'outsider',
  otherInstitution: 'sender',
};
export const rotatedCustodians: OrderParties = {
  ...usualParties,
  id: 'rotated',
  keeper: 'outsider_custodian',
  receiver: 'sender_custodian',
  otherCustodian: 'receiver_custodian',
};
/** The institution without a part in the sender's side is named as the receiver: that does not make the order its own. */
export const otherInstitutionAsReceiver: OrderParties = { ...usualParties, id: 'receiving' };
/** One custodian is that of the sender and of the receiver. */
export const sharedCustodian: OrderParties = {
  ...usualParties,
  id: 'joint',
  receiver: 'sender_custodian',
};
export const partyVariants: readonly OrderParties[] = [
  usualParties,
  swappedInstitutions,
  rotatedCustodians,
];

/** The parties that must be declared; the others take part if they are declared. */
export const requiredParties = ({
  id,
  creator,
  keeper,
  receiver,
  otherCustodian,
}: OrderParties): CastName[] =>
  id === 'rotated' ? [creator, keeper, receiver, otherCustodian] : [creator];

export const isDeclared = (t: CheckContext, name: CastName): boolean =>
  t.target.parties[name] !== undefined;

/** An order between these parties; open for quotes unless its proposal is to be left. */
export async function orderBetween(
  t: CheckContext,
  orderParties: OrderParties,
  proposal?: 'leave',
): Promise<PlacedOrder> {
  const { id, creator, otherInstitution, keeper, receiver } = orderParties;
  const named: Fields = {
    ...(id === 'receiving' &&
      isDeclared(t, otherInstitution) && { receiver_party_id: t.party(otherInstitution).partyId }),
    ...(isDeclared(t, keeper) && { sender_custodian_party_id: t.party(keeper).partyId }),
    ...(isDeclared(t, receiver) && { receiver_custodian_party_id: t.party(receiver).partyId }),
  };
  const order = await createOrder(t, named, { by: creator, proposal: 'leave' });
  const waits = tradeAwaitsProposal(t.target.answers.get('proposal.effect'));
  if (waits && proposal !== 'leave' && isDeclared(t, keeper)) {
    await retryWhileRefused(t, () => sendRequest(t, keeper, 'proposal.accept', { order }));
  }
  return order;
}

/** The sender, or its custodian if the parties are not the usual ones: so both accept in some checks. */
export const accepterFor = (t: CheckContext, { id, creator, keeper }: OrderParties): CastName =>
  id !== 'usual' && isDeclared(t, keeper) ? keeper : creator;
