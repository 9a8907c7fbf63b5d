import type { Trial } from '../../src/conformance/check.ts';
import {
  createOrder,
  type Fields,
  insist,
  type PlacedOrder,
} from '../../src/conformance/moves/index.ts';
import { tradeWaits } from '../../src/spec/gaps/proposals.ts';
import type { CastName } from '../../src/spec/requirements/index.ts';
import { ask } from '../deeds.ts';

/** Who stands how to an order. */
export interface Sides {
  readonly id: string;
  readonly creator: CastName;
  /** An institution without any part in it. */
  readonly rival: CastName;
  readonly keeper: CastName;
  readonly receiver: CastName;
  /** A custodian without any part in it. */
  readonly stranger: CastName;
}

/** As the cast has it; with the institutions' parts exchanged; with each custodian in another's part. */
export const usual: Sides = {
  id: 'usual',
  creator: 'sender',
  rival: 'outsider',
  keeper: 'sender_custodian',
  receiver: 'receiver_custodian',
  stranger: 'outsider_custodian',
};
export const exchanged: Sides = { ...usual, id: 'exchanged', creator: 'outsider', rival: 'sender' };
export const rotated: Sides = {
  ...usual,
  id: 'rotated',
  keeper: 'outsider_custodian',
  receiver: 'sender_custodian',
  stranger: 'receiver_custodian',
};
/** The institution without a part in the sender's side is named as the receiver: that does not make the order its own. */
export const receiving: Sides = { ...usual, id: 'receiving' };
/** One custodian keeps both sides. */
export const joint: Sides = { ...usual, id: 'joint', receiver: 'sender_custodian' };
export const allSides: readonly Sides[] = [usual, exchanged, rotated];

/** The parties without whom these sides say nothing; others take part where they are declared. */
export const sidesNeed = ({ id, creator, keeper, receiver, stranger }: Sides): CastName[] =>
  id === 'rotated' ? [creator, keeper, receiver, stranger] : [creator];

export const isThere = (trial: Trial, name: CastName): boolean =>
  trial.target.parties[name] !== undefined;

/** An order between these sides; open for quotes unless its proposal is to be left. */
export async function orderBetween(
  trial: Trial,
  sides: Sides,
  proposal?: 'leave',
): Promise<PlacedOrder> {
  const { id, creator, rival, keeper, receiver } = sides;
  const named: Fields = {
    ...(id === 'receiving' &&
      isThere(trial, rival) && { receiver_party_id: trial.party(rival).partyId }),
    ...(isThere(trial, keeper) && { sender_custodian_party_id: trial.party(keeper).partyId }),
    ...(isThere(trial, receiver) && { receiver_custodian_party_id: trial.party(receiver).partyId }),
  };
  const order = await createOrder(trial, named, { by: creator, proposal: 'leave' });
  const waits = tradeWaits(trial.target.answers.get('proposal.effect'));
  if (waits && proposal !== 'leave' && isThere(trial, keeper)) {
    await insist(trial, () => ask(trial, keeper, 'proposal.accept', { order }));
  }
  return order;
}

/** The custodian where the parts are not the usual ones, so that its way is walked as well. */
export const acceptor = (trial: Trial, { id, creator, keeper }: Sides): CastName =>
  id !== 'usual' && isThere(trial, keeper) ? keeper : creator;
